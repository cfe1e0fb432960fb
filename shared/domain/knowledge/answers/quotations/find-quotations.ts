/** Finds the quotations in an answer: text in quotation marks, and block quotes. Code contains no quotations. */

import { blank, FENCED_CODE, INLINE_CODE } from './code-patterns.ts';

/** A quotation without its quotation marks. `start` and `end` are its position in the answer. */
export interface Quotation {
  text: string;
  start: number;
  end: number;
  /** The numbers of passages, such as `[1]`, that directly follow the quotation or are inside it. */
  cited: number[];
}

const BLOCK_QUOTE = /^(?:[ \t]*>.*(?:\n|$))+/gm;
const PARAGRAPH_END = /\n[ \t>]*\n/g;

/** The closing marks for each opening mark. */
const CLOSING_MARKS: Record<string, string> = {
  ...{ '"': '"', '“': '”', '„': '“”', '«': '»', '‹': '›', '「': '」', '『': '』' },
  ...{ "'": "'", '‘': '’' },
};
/** Marks that are also apostrophes. */
const APOSTROPHES = "'‘";
/** Shorter text between apostrophes is not a quotation. */
const MIN_WORDS_BETWEEN_APOSTROPHES = 3;
/**
 * Marks that authors use to open and to close a quotation. The characters around such a mark decide whether it opens or
 * closes a quotation.
 */
const AMBIGUOUS_MARKS = `"'‘`;

/** An opening mark without a closing mark within this distance is ignored. */
const MAX_CHARACTERS = 4000;
const MAX_NESTING = 5;
/** Further quotations in an answer are ignored, because comparing each of them with all passages takes time. */
const MAX_QUOTATIONS = 500;

const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const WORDS = /[\p{L}\p{N}]+/gu;
const CITATIONS = /\[\d{1,2}\]/g;
const CITATIONS_AFTER = /^[\s.,;:!?)*_”"'’»]*((?:\[\d{1,2}\]\s*)+)/;

const isWordCharacter = (character: string | undefined): boolean => WORD_CHARACTER.test(character ?? '');
const isSpace = (character: string | undefined): boolean => !character || /\s/.test(character);

/**
 * Whether the mark at `index` can open a quotation: it is not followed by a space or by closing punctuation, except for
 * an ellipsis. An ambiguous mark must not follow a word or closing punctuation either.
 */
const opens = (text: string, index: number): boolean =>
  !/^(?:$|[\s,;:!?)\]]|\.(?!\.))/.test(text.slice(index + 1, index + 3)) &&
  (!AMBIGUOUS_MARKS.includes(text[index] as string) || !/[\p{L}\p{N}.,;:!?%)\]]/u.test(text[index - 1] ?? ' '));

const closes = (text: string, index: number, openingMark: string): boolean =>
  !AMBIGUOUS_MARKS.includes(openingMark) ||
  (!isWordCharacter(text[index + 1]) && (!isSpace(text[index - 1]) || !opens(text, index)));

/** Returns the position of the closing mark, or -1. Nested quotations with the same marks are skipped. */
function findClosingMark(text: string, start: number, end: number): number {
  const mark = text[start] as string;
  const closingMarks = CLOSING_MARKS[mark] as string;
  let depth = 1;
  const limit = Math.min(end, start + MAX_CHARACTERS);
  for (let index = start + 1; index < limit && depth <= MAX_NESTING; index++) {
    const character = text[index] as string;
    if (closingMarks.includes(character) && closes(text, index, mark)) depth -= 1;
    else if (character === mark && opens(text, index)) depth += 1;
    if (depth === 0) return index;
  }
  return -1;
}

const numbersIn = (text: string): number[] => (text.match(CITATIONS) ?? []).map((mark) => Number(mark.slice(1, -1)));

const toQuotation = (answer: string, start: number, end: number): Quotation => {
  const text = answer.slice(start, end);
  const after = CITATIONS_AFTER.exec(answer.slice(end + 1))?.[1] ?? '';
  return { text, start, end, cited: numbersIn(text + after) };
};

const isQuotation = (mark: string, text: string): boolean =>
  !APOSTROPHES.includes(mark) || (text.match(WORDS) ?? []).length >= MIN_WORDS_BETWEEN_APOSTROPHES;

/** Finds the quotations in one paragraph. Quotations within a quotation are part of it. */
function findInParagraph(text: string, from: number, end: number): Range[] {
  const found: Range[] = [];
  for (let index = from; index < end; index++) {
    const mark = text[index] as string;
    if (!(mark in CLOSING_MARKS) || !opens(text, index)) continue;
    const closing = findClosingMark(text, index, end);
    if (closing < 0 || !isQuotation(mark, text.slice(index + 1, closing))) continue;
    found.push([index + 1, closing]);
    index = closing;
  }
  return found;
}

type Range = [start: number, end: number];

const rangesOf = (pattern: RegExp, text: string): Range[] =>
  [...text.matchAll(pattern)].map(({ 0: part, index }) => [index, index + part.trimEnd().length]);

const isWithin = ([start, end]: Range, ranges: Range[]): boolean =>
  ranges.some((range) => range[0] <= start && end <= range[1]);

/** Returns the quotations in an answer, in the order in which they appear. */
export function findQuotations(answer: string): Quotation[] {
  const prose = answer.replace(FENCED_CODE, blank);
  const ranges = rangesOf(BLOCK_QUOTE, prose);
  const text = prose.replace(BLOCK_QUOTE, blank);
  let start = 0;
  for (const { 0: separator, index } of [...text.matchAll(PARAGRAPH_END), { 0: '', index: text.length }]) {
    ranges.push(...findInParagraph(text, start, index));
    start = index + separator.length;
  }
  const inlineCode = rangesOf(INLINE_CODE, text);
  return ranges
    .filter((range) => !isWithin(range, inlineCode))
    .toSorted(([one], [other]) => one - other)
    .slice(0, MAX_QUOTATIONS)
    .map(([from, to]) => toQuotation(answer, from, to))
    .filter((quotation) => WORD_CHARACTER.test(quotation.text.replace(CITATIONS, '')));
}
