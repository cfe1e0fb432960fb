/** The Markdown parser (CommonMark with tables). Its running time is proportional to the length of the text. */
import Parser, { type MarkdownIt, type MarkdownItOptions, type Token } from 'markdown-it';

/**
 * Maximum nesting depth that is parsed; a list takes two levels. The parser drops text that is nested more deeply, so
 * `parseBlocks` returns undefined for a text that reaches the limit.
 */
const MAX_NESTING = 50;

const OPTIONS: MarkdownItOptions = { html: false, linkify: false, typographer: false, maxNesting: MAX_NESTING };

/** Returns a parser that reads `[label]: URL` as text. */
export function createParser(): MarkdownIt {
  const parser = new Parser(OPTIONS).disable('reference');
  parser.core.ruler.enableOnly(['normalize', 'block']);
  return parser;
}

/**
 * Unifies line endings and replaces NUL characters, as the parser does, so that the parser's line numbers apply to the
 * result.
 */
export const normalizeText = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');

/** Returns the block tokens of a text, or undefined if it is too deeply nested. */
export function parseBlocks(parser: MarkdownIt, text: string): Token[] | undefined {
  const tokens = parser.parse(text, {});
  return tokens.some(({ level }) => level >= MAX_NESTING - 1) ? undefined : tokens;
}
