/** Parses HTML of any quality into a small tree of the elements that can hold readable text. */
import { Parser } from 'htmlparser2';

/** An element with readable text; `letters` and `linkedLetters` count its letters and those inside links. */
export type Element = {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  letters: number;
  linkedLetters: number;
};
export type Node = Element | string;

/** A page's body, with the title and language that its head declares. */
export type HtmlTree = { root: Element; title: string; language?: string };

/**
 * The content of deeper elements is merged into their ancestor, so that recursion over the tree cannot overflow the
 * stack.
 */
const MAX_DEPTH = 200;
const SKIPPED_NAMES = nameSet(
  'script style noscript template svg math iframe object embed canvas audio video map button input select textarea datalist progress meter dialog',
);
const INLINE_NAMES = nameSet(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr',
);
/**
 * Elements that end an open sibling implicitly: the names of the siblings, and the names of the parents at which the
 * search for one stops.
 */
const IMPLIED_END_TAGS = new Map<string, [Set<string>, Set<string>]>([
  ['li', [nameSet('li'), nameSet('ul ol menu')]],
  ['dt', [nameSet('dt dd'), nameSet('dl')]],
  ['dd', [nameSet('dt dd'), nameSet('dl')]],
  ['td', [nameSet('td th'), nameSet('tr table')]],
  ['th', [nameSet('td th'), nameSet('tr table')]],
  ['tr', [nameSet('tr'), nameSet('table')]],
]);
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** Parses HTML. Scripts, form controls, hidden elements and comments are left out. */
export function parseHtmlTree(html: string): HtmlTree {
  const root = createElement('body', {});
  const tree: HtmlTree = { root, title: '' };
  const open = [root];
  // The parser's open elements. An entry is undefined for an element that is too deep; `open` may already have ended
  // one because of a sibling.
  const frames: (Element | undefined)[] = [];
  let skipped = 0;
  let inTitle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (skipped > 0 || isSkipped(name, attributes)) return void skipped++;
      if (name === 'title') inTitle = !tree.title;
      if (name === 'html' && attributes.lang) tree.language = attributes.lang.slice(0, 35);
      if (name === 'meta' && attributes.property === 'og:title' && !tree.title)
        tree.title = attributes.content?.trim() ?? '';
      endSibling(open, name);
      const child = open.length < MAX_DEPTH ? createElement(name, attributes) : undefined;
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
  countElementLetters(root);
  return tree;
}

/** Ends the previous item of the same list, row or table, which pages often leave open. */
function endSibling(open: Element[], name: string): void {
  const [siblings, parents] = IMPLIED_END_TAGS.get(name) ?? [];
  for (let at = open.length - 1; siblings && at > 0; at--) {
    const other = open[at]?.name ?? '';
    if (parents?.has(other)) return;
    if (siblings.has(other)) open.length = at;
  }
}

/** Counts the letters of an element and of all its descendants. */
function countElementLetters(at: Element, inLink = false): void {
  const link = inLink || at.name === 'a';
  at.letters = 0;
  at.linkedLetters = 0;
  for (const child of at.children) {
    if (typeof child === 'string') {
      const letters = countLetters(child);
      at.letters += letters;
      if (link) at.linkedLetters += letters;
    } else {
      countElementLetters(child, link);
      at.letters += child.letters;
      at.linkedLetters += child.linkedLetters;
    }
  }
}

/** Yields an element and all its descendants in reading order. */
export function* descendants(at: Element): Generator<Element> {
  const stack = [at];
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next;
    for (const child of next.children.toReversed()) if (typeof child !== 'string') stack.push(child);
  }
}

/** Returns the text of a node on one line. */
export const singleLineText = (at: Node): string => elementText(at).replace(/\s+/g, ' ').trim();

/**
 * Returns the text of a node with its line breaks and indentation; the text of a block element ends in a line break.
 */
export function elementText(at: Node): string {
  if (typeof at === 'string') return at;
  if (at.name === 'br') return '\n';
  const text = at.children.map(elementText).join('');
  return isInline(at) || text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Whether an element is inline. */
export const isInline = ({ name }: Element): boolean => INLINE_NAMES.has(name);

function createElement(name: string, attributes: Record<string, string>): Element {
  return { name, attributes, children: [], letters: 0, linkedLetters: 0 };
}

function countLetters(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 32) letters++;
  return letters;
}

function isSkipped(name: string, attributes: Record<string, string>): boolean {
  if (SKIPPED_NAMES.has(name)) return true;
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return name !== 'body' && name !== 'html';
  return attributes.style !== undefined && HIDDEN_STYLE.test(attributes.style);
}

/** Returns the set of the names in a space-separated list. */
export function nameSet(list: string): Set<string> {
  return new Set(list.split(' '));
}
