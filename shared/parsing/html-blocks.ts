/** Converts the HTML tree of a page's main part to blocks. */
import type { Block } from './blocks.ts';
import { tableBlocks } from './html-table.ts';
import { descendants, type Element, elementText, isInline, type Node, singleLineText } from './html-tree.ts';

const LANGUAGE_CLASS = /(?:^|\s)(?:language|lang|highlight|brush)[-:]\s?([a-z][\w+#-]{0,19})\b/i;
const NOT_LANGUAGES = new Set(['default', 'none', 'notranslate', 'text', 'plaintext']);

/** Returns the non-empty blocks of an element in reading order. */
export function htmlToBlocks(root: Element): Block[] {
  const blocks: Block[] = [];
  let line = '';
  const flush = () => {
    const text = normaliseSpaces(line);
    if (text) blocks.push({ kind: 'text', text });
    line = '';
  };
  const visit = (node: Node): void => {
    if (typeof node === 'string') line += node.replace(/\s+/g, ' ');
    else if (node.name === 'br') line += '\n';
    else if (isInline(node)) node.children.forEach(visit);
    else {
      flush();
      const elementBlocks = ELEMENT_READERS.get(node.name)?.(node);
      if (elementBlocks) blocks.push(...elementBlocks);
      else node.children.forEach(visit);
      flush();
    }
  };
  root.children.forEach(visit);
  flush();
  return blocks;
}

/** The readers of elements with their own meaning; undefined means that the element is only a wrapper. */
const ELEMENT_READERS = new Map<string, (at: Element) => Block[] | undefined>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, heading] as const),
  ['pre', codeBlocks],
  ['table', (at) => tableBlocks(at, htmlToBlocks)],
  ['ul', (at) => listBlocks(at, () => '- ')],
  ['ol', (at) => listBlocks(at, (index) => `${firstNumber(at) + index}. `)],
  ['dl', definitionBlocks],
]);

const firstNumber = ({ attributes }: Element): number => Number.parseInt(attributes.start ?? '1', 10) || 1;

function heading(at: Element): Block[] {
  const text = singleLineText(at);
  return text ? [{ kind: 'heading', level: Number(at.name[1]), text }] : [];
}

function codeBlocks(at: Element): Block[] {
  return at.letters > 0 ? [{ kind: 'code', text: dedent(elementText(at)), language: languageOf(at) }] : [];
}

/** Reads the items of a list; an item that contains headings is read as part of the page. */
function listBlocks(list: Element, marker: (index: number) => string): Block[] {
  const blocks: Block[] = [];
  let index = 0;
  for (const child of list.children) {
    if (typeof child === 'string') continue;
    const body = child.name === 'li' ? htmlToBlocks(child) : htmlToBlocks({ ...child, children: [child] });
    if (body.length === 0) continue;
    if (child.name !== 'li' || body.some(({ kind }) => kind === 'heading')) blocks.push(...body);
    else blocks.push({ kind: 'item', marker: marker(index++), body });
  }
  return blocks;
}

/** Reads the terms of a definition list with their explanations; consecutive terms share one explanation. */
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
      const term = singleLineText(child);
      if (term) terms.push(term);
    } else body.push(...htmlToBlocks(child));
  }
  flush();
  return blocks;
}

/** Unwraps the `div` that HTML allows around a term and its explanation. */
function unwrapGroup(node: Node): Element[] {
  if (typeof node === 'string') return [];
  return node.name === 'div' ? node.children.flatMap(unwrapGroup) : [node];
}

/** Returns the language that a code block or a descendant declares, or an empty string. */
function languageOf(at: Element): string {
  for (const { attributes } of descendants(at)) {
    const language = LANGUAGE_CLASS.exec(attributes.class ?? '')?.[1];
    if (language && !NOT_LANGUAGES.has(language)) return language.toLowerCase();
  }
  return '';
}

/** Removes surrounding empty lines, trailing spaces and common indentation from code. */
function dedent(code: string): string {
  const lines = code
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd());
  const depths = lines.filter(Boolean).map((line) => line.search(/\S/));
  const depth = depths.reduce((min, next) => Math.min(min, next), Number.POSITIVE_INFINITY);
  return lines
    .map((line) => line.slice(depth))
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

const normaliseSpaces = (line: string): string =>
  line
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
