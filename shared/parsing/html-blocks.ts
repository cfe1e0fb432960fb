/** The tree of a page's main part to blocks: what each element means to a reader. */
import type { Block } from './blocks.ts';
import { tableBlocks } from './html-table.ts';
import { type Element, elements, isInline, lineOf, type Node, textOf } from './tree.ts';

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight|brush)[-:]\s?([a-z][\w+#-]{0,19})\b/i;
const NOT_LANGUAGES = new Set(['default', 'none', 'notranslate', 'text', 'plaintext']);

/** The blocks of an element, in reading order; none is empty. */
export function blocksOf(root: Element): Block[] {
  const blocks: Block[] = [];
  let line = '';
  const flush = () => {
    const text = tidy(line);
    if (text) blocks.push({ kind: 'text', text });
    line = '';
  };
  const visit = (node: Node): void => {
    if (typeof node === 'string') line += node.replace(/\s+/g, ' ');
    else if (node.name === 'br') line += '\n';
    else if (isInline(node)) node.children.forEach(visit);
    else {
      flush();
      const own = READERS.get(node.name)?.(node);
      if (own) blocks.push(...own);
      else node.children.forEach(visit);
      flush();
    }
  };
  root.children.forEach(visit);
  flush();
  return blocks;
}

/** How elements with a meaning of their own are read; undefined hands an element back as mere wrapping. */
const READERS = new Map<string, (at: Element) => Block[] | undefined>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, heading] as const),
  ['pre', codeBlocks],
  ['table', (at) => tableBlocks(at, blocksOf)],
  ['ul', (at) => listBlocks(at, () => '- ')],
  ['ol', (at) => listBlocks(at, (index) => `${firstOf(at) + index}. `)],
  ['dl', definitionBlocks],
]);

const firstOf = ({ attributes }: Element): number => Number.parseInt(attributes.start ?? '1', 10) || 1;

function heading(at: Element): Block[] {
  const text = lineOf(at);
  return text ? [{ kind: 'heading', level: Number(at.name[1]), text }] : [];
}

function codeBlocks(at: Element): Block[] {
  return at.text > 0 ? [{ kind: 'code', text: dedent(textOf(at)), language: languageOf(at) }] : [];
}

/** A list's items; an item with headings of its own is no item but a part of the page. */
function listBlocks(list: Element, marker: (index: number) => string): Block[] {
  const blocks: Block[] = [];
  let index = 0;
  for (const child of list.children) {
    if (typeof child === 'string') continue;
    const body = child.name === 'li' ? blocksOf(child) : blocksOf({ ...child, children: [child] });
    if (body.length === 0) continue;
    if (child.name !== 'li' || body.some(({ kind }) => kind === 'heading')) blocks.push(...body);
    else blocks.push({ kind: 'item', marker: marker(index++), body });
  }
  return blocks;
}

/** Terms with what is said about them; several terms in a row share one explanation. */
function definitionBlocks(list: Element): Block[] {
  const blocks: Block[] = [];
  let terms: string[] = [];
  let body: Block[] = [];
  const flush = () => {
    const term = terms.join('\n');
    if (term) blocks.push({ kind: 'definition', term, body });
    else blocks.push(...body);
    terms = [];
    body = [];
  };
  for (const child of list.children.flatMap(unwrapGroup)) {
    if (child.name === 'dt') {
      if (body.length > 0) flush();
      const term = lineOf(child);
      if (term) terms.push(term);
    } else body.push(...blocksOf(child));
  }
  flush();
  return blocks;
}

/** HTML lets a `div` stand around each term and its explanation. */
function unwrapGroup(node: Node): Element[] {
  if (typeof node === 'string') return [];
  return node.name === 'div' ? node.children.flatMap(unwrapGroup) : [node];
}

/** The language a code block or what stands directly in it is marked with, or an empty text. */
function languageOf(at: Element): string {
  for (const { attributes } of elements(at)) {
    const language = LANGUAGE.exec(attributes.class ?? '')?.[1];
    if (language && !NOT_LANGUAGES.has(language)) return language.toLowerCase();
  }
  return '';
}

/** Code without empty lines around it, trailing spaces, or indentation common to all lines. */
function dedent(code: string): string {
  const lines = code
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd());
  const depths = lines.filter(Boolean).map((line) => line.search(/\S/));
  const depth = depths.reduce((least, next) => Math.min(least, next), Number.POSITIVE_INFINITY);
  return lines
    .map((line) => line.slice(depth))
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

const tidy = (line: string): string =>
  line
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
