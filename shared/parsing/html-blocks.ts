/** Converts the main part of a page to blocks. */
import type { CheerioAPI } from 'cheerio/slim';
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import type { Block } from './blocks.ts';
import { select } from './html-document.ts';
import { tableBlocks } from './html-table.ts';
import { countLetters, isInline, singleLineText, textWithLines } from './page-text.ts';

const LANGUAGE_CLASS = /(?:^|\s)(?:language|lang|highlight|brush)[-:]\s?([a-z][\w+#-]{0,19})\b/i;
const NOT_LANGUAGES = new Set(['default', 'none', 'notranslate', 'text', 'plaintext']);

/** Returns the non-empty blocks of nodes in reading order. */
export function htmlToBlocks($: CheerioAPI, nodes: ChildNode[]): Block[] {
  const blocks: Block[] = [];
  let line = '';
  const flush = () => {
    const text = normalizeSpaces(line);
    if (text) blocks.push({ kind: 'text', text });
    line = '';
  };
  const visit = (node: ChildNode): void => {
    if (isText(node)) line += node.data.replace(/\s+/g, ' ');
    else if (!isTag(node)) return;
    else if (node.name === 'br') line += '\n';
    else if (isInline(node)) node.children.forEach(visit);
    else {
      flush();
      const elementBlocks = ELEMENT_READERS.get(node.name)?.($, node);
      if (elementBlocks) blocks.push(...elementBlocks);
      else node.children.forEach(visit);
      flush();
    }
  };
  nodes.forEach(visit);
  flush();
  return blocks;
}

/** The readers of elements that become blocks of a kind other than text. */
const ELEMENT_READERS = new Map<string, ($: CheerioAPI, at: Element) => Block[]>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, heading] as const),
  ['pre', codeBlocks],
  ['table', ($, at) => tableBlocks($, at, (nodes) => htmlToBlocks($, nodes))],
  ['ul', ($, at) => listBlocks($, at, () => '- ')],
  ['ol', ($, at) => listBlocks($, at, (index) => `${firstNumber(at) + index}. `)],
  ['dl', definitionBlocks],
]);

const firstNumber = ({ attribs }: Element): number => Number.parseInt(attribs.start ?? '1', 10) || 1;

function heading(_: CheerioAPI, at: Element): Block[] {
  const text = singleLineText(at);
  return text ? [{ kind: 'heading', level: Number(at.name[1]), text }] : [];
}

function codeBlocks($: CheerioAPI, at: Element): Block[] {
  const code = textWithLines(at);
  return countLetters(code) > 0 ? [{ kind: 'code', text: dedent(code), language: languageOf($, at) }] : [];
}

/** Reads the items of a list; an item that contains headings is read as part of the page. */
function listBlocks($: CheerioAPI, list: Element, marker: (index: number) => string): Block[] {
  const blocks: Block[] = [];
  let index = 0;
  for (const child of $(list).children()) {
    const body = htmlToBlocks($, child.name === 'li' ? child.children : [child]);
    if (body.length === 0) continue;
    if (child.name !== 'li' || body.some(({ kind }) => kind === 'heading')) blocks.push(...body);
    else blocks.push({ kind: 'item', marker: marker(index++), body });
  }
  return blocks;
}

/** Reads the terms of a definition list with their explanations; consecutive terms share one explanation. */
function definitionBlocks($: CheerioAPI, list: Element): Block[] {
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
  for (const child of definitionParts($, list)) {
    if (child.name === 'dt') {
      if (body.length > 0) flush();
      const term = singleLineText(child);
      if (term) terms.push(term);
    } else body.push(...htmlToBlocks($, child.children));
  }
  flush();
  return blocks;
}

/** Returns the terms and explanations of a definition list, without the `div` that HTML allows around them. */
const definitionParts = ($: CheerioAPI, at: Element): Element[] =>
  $(at)
    .children()
    .get()
    .flatMap((child) => (child.name === 'div' ? definitionParts($, child) : [child]));

/** Returns the language that a code block or a descendant declares, or an empty string. */
function languageOf($: CheerioAPI, at: Element): string {
  const classes = [at, ...select($, at, '[class]')].map(({ attribs }) => attribs.class ?? '');
  const languages = classes.map((names) => LANGUAGE_CLASS.exec(names)?.[1]?.toLowerCase() ?? '');
  return languages.find((language) => language && !NOT_LANGUAGES.has(language)) ?? '';
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

const normalizeSpaces = (line: string): string =>
  line
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
