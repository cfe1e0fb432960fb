/** The Markdown parser (CommonMark with tables). It takes time in proportion to the length of any text. */
import Parser, { type MarkdownIt, type MarkdownItOptions, type Token } from 'markdown-it';

/**
 * The deepest nesting that is parsed, where a list takes two levels. The parser drops text below its own limit, so
 * `parseBlocks` reports a text that reaches this one.
 */
const MAX_NESTING = 50;

const OPTIONS: MarkdownItOptions = { html: false, linkify: false, typographer: false, maxNesting: MAX_NESTING };

/** Returns a parser that reads `[label]: URL` as text. */
export function createParser(): MarkdownIt {
  const parser = new Parser(OPTIONS).disable('reference');
  parser.core.ruler.enableOnly(['normalize', 'block']);
  return parser;
}

/** Unifies the line ends and removes the zero bytes of a text, as the parser does, so that its line numbers apply. */
export const normalizeText = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');

/** Returns the block tokens of a text, or undefined if it is nested too deep. */
export function parseBlocks(parser: MarkdownIt, text: string): Token[] | undefined {
  const tokens = parser.parse(text, {});
  return tokens.some(({ level }) => level >= MAX_NESTING - 1) ? undefined : tokens;
}
