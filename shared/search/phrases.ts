/**
 * Searches for phrases: quoted words that follow each other in a text. Anything that is not a word may be between
 * them.
 */
import { queryTerms, segmentWords } from './words.ts';

/** A parsed search: every word and every phrase must occur. The words include those of the phrases. */
export interface SearchTerms {
  words: string[];
  phrases: string[][];
}

const QUOTED_PHRASE = /"([^"]*)"|[“„]([^”“„]*)[”“]|«([^»]*)»|「([^」]*)」|『([^』]*)』|〝([^〞]*)〞/g;

/** Returns the words of a text in order; an email address is one word. */
const wordSequence = (text: string): string[] => [...segmentWords(text)].flatMap(({ words: [word] }) => word || []);

/** Returns the words of a text in order, with each email address replaced by its parts. */
const wordSequenceOfParts = (text: string): string[] =>
  [...segmentWords(text)].flatMap(({ words }) => (words.length > 1 ? words.slice(1) : words)).filter(Boolean);

/** Parses a search into words and phrases; an unclosed quotation mark starts no phrase. */
export const parseSearchTerms = (text: string): SearchTerms => {
  const quoted = [...text.matchAll(QUOTED_PHRASE)].map(([, ...groups]) => wordSequence(groups.find(Boolean) ?? ''));
  const phrases = new Map(quoted.filter((words) => words.length > 1).map((words) => [words.join(' '), words]));
  return { words: queryTerms(text), phrases: [...phrases.values()] };
};

const isPhraseAt = (words: string[], phrase: string[], start: number): boolean =>
  phrase.every((word, offset) => words[start + offset] === word);

const hasPhrase = (words: string[], phrase: string[]): boolean =>
  words.some((_, index) => isPhraseAt(words, phrase, index));

/** Returns the phrases that occur in a string. */
export const findPhrases = (text: string, phrases: string[][]): string[][] => {
  const words = wordSequence(text);
  const parts = text.includes('@') ? wordSequenceOfParts(text) : words;
  return phrases.filter((phrase) => hasPhrase(words, phrase) || (parts !== words && hasPhrase(parts, phrase)));
};
