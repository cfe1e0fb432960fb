import { blank, FENCED_CODE, INLINE_CODE } from './code-patterns.ts';

/** Returns the passage numbers, such as `[1]`, that an answer cites outside code. */
export const citedNumbers = (answer: string): number[] => {
  const prose = answer.replace(FENCED_CODE, blank).replace(INLINE_CODE, blank);
  const marks = prose.matchAll(/(?<![\p{L}\p{N}_])\[(\d{1,2})\]/gu);
  return [...new Set([...marks].map(([, number]) => Number(number)))];
};
