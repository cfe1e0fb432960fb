/** HTML of any quality to a small tree of the elements that can hold text to be read. */
import { Parser } from 'htmlparser2';

/** An element that may be read; `text` and `linked` count its letters and those of them inside links. */
export type Element = {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  text: number;
  linked: number;
};
export type Node = Element | string;

/** A page's body with what its head says about it. */
export type Tree = { root: Element; title: string; language?: string };

/** Deeper elements are laid into their ancestor, so that no walk over the tree runs out of stack. */
const MAX_DEPTH = 200;
const SILENT = names(
  'script style noscript template svg math iframe object embed canvas audio video map button input select textarea datalist progress meter dialog',
);
const INLINE = names(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr',
);
/** What ends an open sibling (whatever was left open in it): the siblings' names, and those of the parents they are looked for in. */
const SIBLINGS = new Map<string, [Set<string>, Set<string>]>([
  ['li', [names('li'), names('ul ol menu')]],
  ['dt', [names('dt dd'), names('dl')]],
  ['dd', [names('dt dd'), names('dl')]],
  ['td', [names('td th'), names('tr table')]],
  ['th', [names('td th'), names('tr table')]],
  ['tr', [names('tr'), names('table')]],
]);
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** Read HTML; scripts, form controls, hidden elements and comments are left out. */
export function parseTree(html: string): Tree {
  const root = element('body', {});
  const tree: Tree = { root, title: '' };
  const open = [root];
  // What the parser has open: an element may have been ended here already by a sibling, or lie too deep.
  const frames: (Element | undefined)[] = [];
  let skipped = 0;
  let inTitle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (skipped > 0 || isSilent(name, attributes)) return void skipped++;
      if (name === 'title') inTitle = !tree.title;
      if (name === 'html' && attributes.lang) tree.language = attributes.lang.slice(0, 35);
      if (name === 'meta' && attributes.property === 'og:title' && !tree.title)
        tree.title = attributes.content?.trim() ?? '';
      endSibling(open, name);
      const child = open.length < MAX_DEPTH ? element(name, attributes) : undefined;
      frames.push(child);
      if (!child) return;
      open.at(-1)?.children.push(child);
      open.push(child);
    },
    ontext(text) {
      if (inTitle) tree.title += text;
      else if (skipped === 0) open.at(-1)?.children.push(text);
    },
    onclosetag(name) {
      if (skipped > 0) return void skipped--;
      if (name === 'title') inTitle = false;
      const at = open.lastIndexOf(frames.pop() as Element);
      if (at > 0) open.length = at;
    },
  });
  parser.end(html);
  weigh(root);
  return tree;
}

/** A new item ends the one before it in the same list, row or table, which pages often leave open. */
function endSibling(open: Element[], name: string): void {
  const [siblings, parents] = SIBLINGS.get(name) ?? [];
  for (let at = open.length - 1; siblings && at > 0; at--) {
    const other = open[at]?.name ?? '';
    if (parents?.has(other)) return;
    if (siblings.has(other)) open.length = at;
  }
}

/** Count the letters of an element and of all below it. */
function weigh(at: Element, inLink = false): void {
  const link = inLink || at.name === 'a';
  at.text = 0;
  at.linked = 0;
  for (const child of at.children) {
    if (typeof child === 'string') {
      const letters = lettersOf(child);
      at.text += letters;
      if (link) at.linked += letters;
    } else {
      weigh(child, link);
      at.text += child.text;
      at.linked += child.linked;
    }
  }
}

/** Every element below (and with) the given one, in reading order. */
export function* elements(at: Element): Generator<Element> {
  const waiting = [at];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (const child of next.children.toReversed()) if (typeof child !== 'string') waiting.push(child);
  }
}

/** An element's text on one line. */
export const lineOf = (at: Node): string => textOf(at).replace(/\s+/g, ' ').trim();

/** An element's text as it stands, line breaks and indentation included; what is shown in lines of its own ends in a break. */
export function textOf(at: Node): string {
  if (typeof at === 'string') return at;
  if (at.name === 'br') return '\n';
  const text = at.children.map(textOf).join('');
  return isInline(at) || text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** True for what runs on in its line. */
export const isInline = ({ name }: Element): boolean => INLINE.has(name);

function element(name: string, attributes: Record<string, string>): Element {
  return { name, attributes, children: [], text: 0, linked: 0 };
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 32) letters++;
  return letters;
}

function isSilent(name: string, attributes: Record<string, string>): boolean {
  if (SILENT.has(name)) return true;
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return name !== 'body' && name !== 'html';
  return attributes.style !== undefined && HIDDEN.test(attributes.style);
}

/** The names in a text, parted by spaces. */
export function names(list: string): Set<string> {
  return new Set(list.split(' '));
}
