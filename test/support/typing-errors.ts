/** Adds typical typing errors to questions. The same seed gives the same errors. */
import { TOUCHING_KEYS } from '#shared/search/spelling/typing-errors.ts';
import { seededRandom } from '../../scripts/seed/seeded-random.ts';

const MIN_LETTERS = 4;
/** One error in this number of words; at least one in a text. */
const WORDS_PER_ERROR = 6;

type Random = () => number;

const pick = <T>(items: T[], random: Random): T | undefined => items[Math.floor(random() * items.length)];

const neighboursOf = (letter: string): string[] =>
  [...TOUCHING_KEYS].filter(([one]) => one === letter.toLowerCase()).map(([, other]) => other as string);

/** The kinds of errors: each function makes one at the letter `index` of a word. */
const ERRORS: ((word: string, index: number, random: Random) => string)[] = [
  (word, index) => word.slice(0, index) + word.slice(index + 1),
  (word, index) => word.slice(0, index) + word[index] + word.slice(index),
  (word, index) => word.slice(0, index) + (word[index + 1] ?? '') + word[index] + word.slice(index + 2),
  (word, index, random) =>
    word.slice(0, index) + (pick(neighboursOf(word[index] ?? ''), random) ?? 'x') + word.slice(index + 1),
];

const misspell = (word: string, random: Random): string => {
  for (;;) {
    const error = pick(ERRORS, random)?.(word, Math.floor(random() * word.length), random);
    if (error && error !== word) return error;
  }
};

/** Returns the text with typing errors in about one word in six, but in at least one word. Short words stay correct. */
export function addTypingErrors(text: string, seed: number): string {
  const random = seededRandom(seed);
  const words = [...text.matchAll(/\p{L}+/gu)];
  const longer = words.filter(([word]) => word.length >= MIN_LETTERS);
  const count = Math.max(1, Math.round(words.length / WORDS_PER_ERROR));
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, longer.length)) chosen.add(pick(longer, random)?.index ?? 0);
  return text.replace(/\p{L}+/gu, (word, index: number) => (chosen.has(index) ? misspell(word, random) : word));
}
