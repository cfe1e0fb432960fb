/** A fake model that quotes the passages of its prompt in many styles, and sometimes invents a quotation. */
import { random } from './seeded-random.ts';

/** A quotation in an answer. Each paragraph of an answer contains one. */
export interface Claim {
  text: string;
  isInvented: boolean;
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const integer = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));

const PASSAGE = /^\[\d+\]\n"""\n.*\n([\s\S]*?)\n"""$/gm;

/** The texts of the passages in a prompt. */
const passagesOf = (prompt: string): string[] => [...prompt.matchAll(PASSAGE)].map(([, text]) => text as string);

const WORD = /[\p{L}\p{N}]+/gu;
/** The words of a text, separated by spaces. Does not use the code under test. */
const wordsOf = (text: string) => ` ${(text.toLowerCase().match(WORD) ?? []).join(' ')} `;
const occurs = (text: string, passages: string[]) =>
  passages.some((passage) => wordsOf(passage).includes(wordsOf(text)));

/** A word, number or time; `1,000` and `9:30` are one unit each. */
const UNIT = /[\p{L}\p{N}]+(?:[.,:]\p{N}+)*/gu;

/**
 * A part of a passage that begins and ends with a word. Omits paragraphs with code or URLs, which are removed from
 * answers.
 */
const sliceOf = (passage: string): string => {
  const paragraphs = passage
    .split(/\n\s*\n/)
    .filter((part) => (part.match(WORD) ?? []).length >= 6 && !/[`~]|:\/\//.test(part));
  if (!paragraphs.length) return '';
  const paragraph = pick(paragraphs);
  const words = [...paragraph.matchAll(UNIT)];
  if (words.length < 6) return '';
  const first = integer(0, words.length - 5);
  const last = Math.min(words.length - 1, first + integer(4, 14));
  const [start, end] = [words[first] as RegExpExecArray, words[last] as RegExpExecArray];
  return paragraph.slice(start.index, end.index + end[0].length);
};

const COPIES: ((slice: string) => string)[] = [
  (slice) => slice,
  (slice) => slice.replace(/\*\*|__/g, ''),
  (slice) => slice.charAt(0).toUpperCase() + slice.slice(1),
  (slice) => slice.replace(/\s+/g, ' '),
  (slice) => `${slice}${pick(['.', ',', '…', '!'])}`,
  (slice) => slice.replace(/^(\S+\s+\S+)\s+\S+\s+(\S+\s+\S+)/, '$1 … $2'),
];

const FOREIGN_WORDS = ['zebra', 'quarterly', 'lighthouse', '4711', 'velvet'];
const swapWords = (slice: string) => slice.replace(/([\p{L}\p{N}]+)(\s+)([\p{L}\p{N}]+)/u, '$3$2$1');
const changeNumber = (slice: string) => slice.replace(/\d+/, (number) => String(Number(number) + integer(1, 9)));

const FORGERIES: ((slice: string, passages: string[]) => string)[] = [
  changeNumber,
  swapWords,
  (slice) => slice.replace(/(\s+)(\S+)$/, `$1${pick(FOREIGN_WORDS)}`),
  (slice) => slice.replace(/^(\S+\s+\S+)/, '$1 not'),
  (slice, passages) => `${slice} ${sliceOf(pick(passages))}`,
  () => `Customers ${pick(FOREIGN_WORDS)} always receive the ${pick(FOREIGN_WORDS)} refund`,
];

const MARKS: [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
];

const quote = (text: string): string => {
  const citation = random() < 0.8 ? ` [${integer(1, 5)}]` : '';
  if (random() < 0.15) return `> ${text.replaceAll('\n', '\n> ')}${citation}`;
  const [open, close] = pick(MARKS);
  return `${pick(['The page says ', 'Note: ', ''])}${open}${text}${close}${citation}.`;
};

const invent = (passages: string[]): string => {
  for (;;) {
    const slice = sliceOf(pick(passages));
    const forgery = slice && pick(FORGERIES)(slice, passages);
    if (forgery && !occurs(forgery, passages)) return forgery;
  }
};

const copy = (passages: string[]): string => {
  for (;;) {
    const slice = sliceOf(pick(passages));
    if (slice) return pick(COPIES)(slice);
  }
};

/** Writes an answer from the passages of a prompt. */
export const quotingAnswer = (prompt: string): { text: string; claims: Claim[] } => {
  const passages = passagesOf(prompt);
  const claims = Array.from({ length: integer(1, 4) }, () => {
    const isInvented = random() < 0.3;
    return { isInvented, text: isInvented ? invent(passages) : copy(passages) };
  });
  return { claims, text: claims.map(({ text }) => quote(text)).join('\n\n') };
};
