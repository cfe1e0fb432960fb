/**
 * Sanitizes the answer of a chat model. The model has read untrusted pages, so images, HTML tags and all links except
 * those to the hosts of its sources are removed.
 */
import { normalizeText } from '../../../parsing/markdown-parser.ts';
import { lastBlockOf, sanitizeMarkdown } from '../../../security/sanitize-markdown.ts';
import { NO_ANSWER_MARK } from './prompt.ts';

/** Marks that may begin or end code, a link, an image, a definition or a tag; and spaces, which end words. */
const MARK = /\\\S|`+|[[()>]|\]:?|<(?=[a-z/!?])|\s/gi;
const OPENING_MARKS: Record<string, string> = { ']': '[', ')': '(', '>': '<' };

/** Sanitizes a whole answer and removes the no-answer mark. */
export const sanitizeAnswer = (text: string, sources: string[]): string =>
  sanitizeMarkdown(text.replaceAll(NO_ANSWER_MARK, ''), { sources }).trim();

/** Sanitizes a partial answer without the end that further text may turn into code, a link, a tag or a longer word. */
export function sanitizePartialAnswer(partial: string, sources: string[]): string {
  const text = normalizeText(partial);
  const { start, isCode } = lastBlockOf(text);
  const isStable = isCode && text.includes('\n', start);
  return sanitizeAnswer(isStable ? text : text.slice(0, start + stableLength(text.slice(start))), sources);
}

/** Returns what follows `displayed` in a sanitized text; nothing if later text has changed the displayed one. */
export const restOf = (sanitized: string, displayed: string): string =>
  sanitized.startsWith(displayed) ? sanitized.slice(displayed.length) : '';

/** Returns the length of a block up to its last space outside any mark that is still open. */
function stableLength(block: string): number {
  const open: string[] = [];
  let length = 0;
  let at = 0;
  for (let found = nextMark(block, at); found; found = nextMark(block, at)) {
    const { mark, index } = found;
    at = index + mark.length;
    if (mark === ']:') return length;
    if (mark.startsWith('`')) {
      at = endOfCode(block, at, mark);
      if (!at) return length;
    } else if (mark === '[' || mark === '<' || (mark === '(' && block[index - 1] === ']')) open.push(mark);
    else if (open.at(-1) === OPENING_MARKS[mark]) open.pop();
    if (!open.length && !mark.trim()) length = at;
  }
  return length;
}

function nextMark(block: string, from: number): { mark: string; index: number } | undefined {
  MARK.lastIndex = from;
  const match = MARK.exec(block);
  return match ? { mark: match[0], index: match.index } : undefined;
}

/** Returns where the code that starts at `from` ends, or 0 if it does not. */
function endOfCode(block: string, from: number, ticks: string): number {
  for (const { 0: run, index } of block.slice(from).matchAll(/`+/g))
    if (run.length === ticks.length) return from + index + run.length;
  return 0;
}
