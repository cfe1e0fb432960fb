/**
 * Glosses texts in English, word by word, because the local embedding model knows only English. The result is no
 * translation, but similar texts get similar vectors.
 */
import type { Embedder } from '../../../embedding/types.ts';
import { Glossary, NO_GLOSS } from './glossary.ts';
import { fold, languageCode, splitWords } from './words.ts';

const CLAUSE_END = /[.,;:!?()\n]+|\s[-–—]\s/;
/** What follows is left out; the model would not read it either. */
const MAX_WORDS = 200;
const MAX_CHARACTERS = 2000;

const glossaries = new Map<string, Glossary | null>();

/** Returns the glossary of a language, which is read at its first use; null if there is none. */
const glossaryOf = (language: string): Glossary | null => {
  const known = glossaries.get(language);
  if (known !== undefined) return known;
  const glossary = Glossary.exists(language) ? new Glossary(language) : null;
  glossaries.set(language, glossary);
  return glossary;
};

/** Returns the longest entry of several words at the beginning of these words. */
const findEntry = (glossary: Glossary, words: string[]): { gloss: string; length: number } | undefined => {
  for (let length = Math.min(glossary.maxWords, words.length); length > 1; length--) {
    const gloss = glossary.glossOfEntry(fold(words.slice(0, length).join('_')));
    if (gloss) return { gloss, length };
  }
  return undefined;
};

/** Finds the verb to which the last word of a clause is the prefix, as in `rufe mich an`. */
const findSeparated = (glossary: Glossary, words: string[]): { gloss: string; index: number } | undefined => {
  const prefix = fold(words.at(-1) ?? '');
  if (!glossary.isSeparablePrefix(prefix)) return undefined;
  for (let index = words.length - 2; index >= 0; index--) {
    const gloss = glossary.glossOfSeparated(words[index] ?? '', prefix);
    if (gloss) return { gloss, index };
  }
  return undefined;
};

/** Splits a text into clauses at its punctuation and before conjunctions. */
const splitClauses = (glossary: Glossary, text: string): string[][] => {
  const clauses: string[][] = [];
  for (const part of text.split(CLAUSE_END)) {
    clauses.push([]);
    for (const word of splitWords(part)) {
      if (glossary.isConjunction(fold(word))) clauses.push([]);
      clauses.at(-1)?.push(word);
    }
  }
  return clauses;
};

const glossClause = (glossary: Glossary, words: string[]): string[] => {
  const separated = findSeparated(glossary, words);
  const rest = separated ? words.slice(0, -1) : words;
  const glosses: string[] = [];
  for (let index = 0; index < rest.length; index++) {
    const entry = findEntry(glossary, rest.slice(index));
    if (separated?.index === index) glosses.push(separated.gloss);
    else if (entry) glosses.push(entry.gloss);
    else glosses.push(glossary.glossOf(rest[index] ?? '') ?? rest[index] ?? '');
    if (entry && separated?.index !== index) index += entry.length - 1;
  }
  return glosses;
};

/** Returns a text with the English glosses of its words; unchanged for a language without a glossary. */
export const glossText = (text: string, language: string): string => {
  const glossary = glossaryOf(languageCode(language));
  if (!glossary) return text;
  const clauses = splitClauses(glossary, text.slice(0, MAX_CHARACTERS));
  return clauses
    .flatMap((words) => glossClause(glossary, words))
    .filter((gloss) => gloss !== NO_GLOSS)
    .slice(0, MAX_WORDS)
    .join(' ');
};

/** Returns the text that a model embeds: the local one gets glosses, those of providers know other languages. */
export const embeddedText = (text: string, language: string, { provider }: Pick<Embedder, 'provider'>): string =>
  provider === 'local' ? glossText(text, language) : text;
