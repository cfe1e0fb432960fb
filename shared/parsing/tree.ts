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
const SILENT = new Set(
  'script style noscript template svg math iframe object embed canvas audio video map button input select textarea datalist progress meter dialog'.split(
    ' ',
  ),
);
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** Read HTML; scripts, form controls, hidden elements and comments are left out. */
export function parseTree(html: string): Tree {
  const root = element('body', {});
  const tree: Tree = { root, title: '' };
  const open = [root];
  let skipped = 0;
  let overflow = 0;
  let inTitle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (skipped > 0 || isSilent(name, attributes)) return void skipped++;
      if (name === 'title') inTitle = !tree.title;
      if (name === 'html' && attributes.lang) tree.language = attributes.lang;
      if (name === 'meta' && attributes.property === 'og:title' && !tree.title)
        tree.title = attributes.content?.trim() ?? '';
      if (open.length >= MAX_DEPTH) return void overflow++;
      const child = element(name, attributes);
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
      if (overflow > 0) overflow--;
      else if (open.length > 1) open.pop();
    },
  });
  parser.end(html);
  weigh(root);
  return tree;
}

/** Count the letters of an element anew, after some of its children were taken away. */
export function weigh(at: Element, inLink = false): void {
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

/** An element's text as it stands, line breaks and indentation included. */
export function textOf(at: Node): string {
  if (typeof at === 'string') return at;
  return at.name === 'br' ? '\n' : at.children.map(textOf).join('');
}

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
