/**
 * Sanitizes the answer of a chat model. The model has read untrusted pages, so images, HTML tags and all links except
 * those to the hosts of these pages are removed.
 */
import { normalizeText } from '../../../parsing/markdown-parser.ts';
import { lastBlockOf, sanitizeMarkdown } from '../../../security/sanitize-markdown.ts';
import { NO_ANSWER_MARK } from './prompt.ts';

/** Matches marks that may begin or end code, a link, an image, a definition or a tag, and spaces, which end words. */
const MARK = /\\\S|`+|[[()>]|\]:?|<(?=[a-z/!?])|\s/gi;
const OPENING_MARKS: Record<string, string> = { ']': '[', ')': '(', '>': '<' };

/** Sanitizes a complete answer and removes the no-answer mark. */
export const sanitizeAnswer = (text: string, sources: string[]): string =>
  sanitizeMarkdown(text.replaceAll(NO_ANSWER_MARK, ''), { sources }).trim();

/**
 * Sanitizes the beginning of an answer that is still being written. Omits the end of the text if further text may make
 * it part of code, a link, a tag or a word.
 */
export function sanitizePartialAnswer(partial: string, sources: string[]): string {
  const text = normalizeText(partial);
  const { start, isCode } = lastBlockOf(text);
  const isStable = isCode && text.includes('\n', start);
  return sanitizeAnswer(isStable ? text : text.slice(0, start + stableLength(text.slice(start))), sources);
}

/** Returns the text after `displayed` in a sanitized answer, or '' if the answer does not begin with `displayed`. */
export const textAfter = (sanitized: string, displayed: string): string =>
  sanitized.startsWith(displayed) ? sanitized.slice(displayed.length) : '';

/**
 * Returns the length of the part of a block (a paragraph, or fenced code) that further text cannot change. This part
 * ends at the last space outside unclosed code, links and tags.
 */
function stableLength(block: string): number {
  const open: string[] = [];
  let length = 0;
  let position = 0;
  for (let found = nextMark(block, position); found; found = nextMark(block, position)) {
    const { mark, index } = found;
    position = index + mark.length;
    if (mark === ']:') return length;
    if (mark.startsWith('`')) {
      position = endOfCode(block, position, mark);
      if (!position) return length;
    } else if (mark === '[' || mark === '<' || (mark === '(' && block[index - 1] === ']')) open.push(mark);
    else if (open.at(-1) === OPENING_MARKS[mark]) open.pop();
    if (!open.length && !mark.trim()) length = position;
  }
  return length;
}

function nextMark(block: string, from: number): { mark: string; index: number } | undefined {
  MARK.lastIndex = from;
  const match = MARK.exec(block);
  return match ? { mark: match[0], index: match.index } : undefined;
}

/** Returns the end of the code that starts at `from`, or 0 if the code is not closed. */
function endOfCode(block: string, from: number, ticks: string): number {
  for (const { 0: run, index } of block.slice(from).matchAll(/`+/g))
    if (run.length === ticks.length) return from + index + run.length;
  return 0;
}
