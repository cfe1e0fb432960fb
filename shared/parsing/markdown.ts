/** Reads Markdown, or plain text that may contain Markdown, as blocks. */
import type { Token } from 'markdown-it';
import deflist from 'markdown-it-deflist';
import { type Block, fenceCode } from './blocks.ts';
import { createParser, normalizeText, parseBlocks } from './markdown-parser.ts';

/** Reads indented text as prose, because people indent paragraphs more often than they write code without a fence. */
const parser = createParser().use(deflist).disable('code');

const LANGUAGE = /^[\w+#.-]{1,20}/;
/** The quote and list markers before a line of a nested table. */
const CONTAINER_MARKS = /^(?:\s|>|[-*+:~]\s|\d+[.)]\s)+/;

/** A token with the tokens between it and its closing token. */
type Node = { token: Token; children: Node[] };

/** Returns the non-empty blocks of a Markdown text. A text that is too deeply nested is read as plain paragraphs. */
export function readMarkdown(text: string): Block[] {
  const source = normalizeText(text);
  const tokens = parseBlocks(parser, source);
  if (!tokens) return source.split(/\n\s*\n/).flatMap(toParagraph);
  return readNodes(toTree(tokens), source.split('\n'));
}

/** Splits a Markdown text into its fenced code blocks, without indentation, and the text between them. */
export function splitAtCode(text: string): { isCode: boolean; text: string }[] {
  const lines = normalizeText(text).split('\n');
  const parts: { isCode: boolean; text: string }[] = [];
  let next = 0;
  for (const { type, map, content, info } of parseBlocks(parser, lines.join('\n')) ?? []) {
    if (type !== 'fence' || !map) continue;
    parts.push({ isCode: false, text: lines.slice(next, map[0]).join('\n') });
    parts.push({ isCode: true, text: fenceCode(content.replace(/\n$/, ''), info) });
    next = map[1];
  }
  return [...parts, { isCode: false, text: lines.slice(next).join('\n') }];
}

function toTree(tokens: Token[]): Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const token of tokens) {
    if (token.nesting < 0) open.pop();
    else {
      const node = { token, children: [] };
      open.at(-1)?.push(node);
      if (token.nesting > 0) open.push(node.children);
    }
  }
  return root;
}

const readNodes = (nodes: Node[], lines: string[]): Block[] => nodes.flatMap((node) => readNode(node, lines));

function readNode({ token, children }: Node, lines: string[]): Block[] {
  const content = children[0]?.token.content ?? '';
  switch (token.type) {
    case 'heading_open':
      return readHeading(content, Number(token.tag.slice(1)));
    case 'paragraph_open':
      return toParagraph(content);
    case 'fence':
      return readCode(token);
    case 'table_open':
      return [readTable(token, lines)];
    case 'list_item_open':
      return readItem(token.info, readNodes(children, lines));
    case 'dl_open':
      return readDefinitions(children, lines);
    default:
      return readNodes(children, lines);
  }
}

const trimLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();

const toParagraph = (content: string): Block[] => {
  const text = trimLines(content);
  return text ? [{ kind: 'text', text }] : [];
};

/** A paragraph of several lines above a line of dashes is text, not a heading. */
function readHeading(content: string, level: number): Block[] {
  if (!content || content.includes('\n')) return toParagraph(content);
  return [{ kind: 'heading', level, text: content }];
}

function readCode({ content, info }: Token): Block[] {
  const language = LANGUAGE.exec(info.trim())?.[0] ?? '';
  return content.trim() ? [{ kind: 'code', text: content.replace(/\n$/, ''), language }] : [];
}

/** Uses the lines of a table unchanged, because the parser drops cells without a column heading. */
function readTable({ map, level }: Token, lines: string[]): Block {
  const rows = lines.slice(...(map ?? [0, 0])).map((line) => (level ? line.replace(CONTAINER_MARKS, '') : line).trim());
  return { kind: 'table', head: rows.slice(0, 2), rows: rows.slice(2) };
}

const readItem = (number: string, body: Block[]): Block[] =>
  body.length > 0 ? [{ kind: 'item', marker: number ? `${Number(number)}. ` : '- ', body }] : [];

/** Reads terms with their definitions; the definitions of a term form one body. */
function readDefinitions(nodes: Node[], lines: string[]): Block[] {
  const blocks: (Block & { kind: 'definition' })[] = [];
  for (const { token, children } of nodes) {
    if (token.type === 'dt_open') blocks.push({ kind: 'definition', term: children[0]?.token.content ?? '', body: [] });
    else blocks.at(-1)?.body.push(...readNodes(children, lines));
  }
  return blocks;
}
