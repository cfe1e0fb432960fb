/** Phrases: words in quotes, which stand in a text one after the other. Between them may be anything that is no word. */
import { wantedIn, wordsIn } from './words.ts';

/** What somebody looks for: all of the words, and all of the phrases, whose words are among them. */
export interface Wanted {
  words: string[];
  phrases: string[][];
}

const QUOTED = /"([^"]*)"|[“„]([^”“„]*)[”“]|«([^»]*)»|「([^」]*)」|『([^』]*)』|〝([^〞]*)〞/g;

/** Words in their order; an e-mail is one word. */
const sequenceOf = (text: string): string[] => [...wordsIn(text)].flatMap(({ words: [word] }) => word || []);

/** The same, with the parts of an e-mail in its place. */
const inParts = (text: string): string[] =>
  [...wordsIn(text)].flatMap(({ words }) => (words.length > 1 ? words.slice(1) : words)).filter(Boolean);

/** Words and phrases of a search; a quote without an end begins no phrase. */
export const soughtIn = (text: string): Wanted => {
  const quoted = [...text.matchAll(QUOTED)].map(([, ...groups]) => sequenceOf(groups.find(Boolean) ?? ''));
  const phrases = new Map(quoted.filter((words) => words.length > 1).map((words) => [words.join(' '), words]));
  return { words: wantedIn(text), phrases: [...phrases.values()] };
};

const isAt = (words: string[], phrase: string[], at: number): boolean =>
  phrase.every((word, offset) => words[at + offset] === word);

const isIn = (words: string[], phrase: string[]): boolean => words.some((_, at) => isAt(words, phrase, at));

/** Those of the phrases that stand in a text. */
export const phrasesIn = (text: string, phrases: string[][]): string[][] => {
  const whole = sequenceOf(text);
  const parts = text.includes('@') ? inParts(text) : whole;
  return phrases.filter((phrase) => isIn(whole, phrase) || (parts !== whole && isIn(parts, phrase)));
};
