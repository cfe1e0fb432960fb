/**
 * Glosses texts in English, word by word, because the local embedding model knows only English. The result is no
 * translation, but similar texts get similar vectors.
 */
import { removeAccents } from '../../../search/fold.ts';
import { GERMAN_GLOSSES } from './german-glosses.ts';
import { ITALIAN_GLOSSES } from './italian-glosses.ts';

/** The glosses of a language: of whole words, and of all words that begin with a text. */
interface Glossary {
  words: Map<string, string>;
  beginnings: Map<string, string>;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Minimum length of a word that also stands for the words that begin with it. */
const MIN_BEGINNING = 5;
/** A shorter beginning must be nearly the whole word. */
const SHORT_BEGINNING = 3;
/** Minimum length of the second part of a compound. */
const MIN_PART = 4;
/** Letters that join the parts of German compounds. */
const JOINT = /^(s|n|en|es|er)(?=.{4})/;
const MAX_PARTS = 3;

/** Returns the words of a text in order: lower case, without accents. */
export const foldedWords = (text: string): string[] =>
  removeAccents(text).toLowerCase().replaceAll('ß', 'ss').match(WORD) ?? [];

const parseGlossary = (table: string): Glossary => {
  const glossary: Glossary = { words: new Map(), beginnings: new Map() };
  for (const entry of table.split(';')) {
    const [words = '', gloss = ''] = entry.trim().split('=');
    for (const word of words.split(' '))
      if (word.endsWith('*')) glossary.beginnings.set(word.slice(0, -1), gloss);
      else glossary.words.set(word, gloss);
  }
  return glossary;
};

const TABLES: Record<string, string> = { it: ITALIAN_GLOSSES, de: GERMAN_GLOSSES };
const parsedGlossaries = new Map<string, Glossary>();

/** Returns the glossary of a language, which is parsed at its first use; undefined if there is none. */
const glossaryOf = (language: string): Glossary | undefined => {
  const table = TABLES[language];
  if (!table) return undefined;
  const glossary = parsedGlossaries.get(language) ?? parseGlossary(table);
  parsedGlossaries.set(language, glossary);
  return glossary;
};

/** The code of a language without its region: `de` for `de-AT`. */
export const languageCode = (language: string): string => language.split(/[-_]/)[0]?.toLowerCase() ?? '';

const beginningOf = ({ words, beginnings }: Glossary, word: string, length: number): string | undefined => {
  if (length < SHORT_BEGINNING && word.length > length + SHORT_BEGINNING) return undefined;
  const beginning = word.slice(0, length);
  return beginnings.get(beginning) ?? (length >= MIN_BEGINNING ? words.get(beginning) : undefined);
};

/** The gloss of a word: of the whole word, or of its longest known beginning and of the rest of the compound. */
const glossWord = (glossary: Glossary, word: string, partsLeft = MAX_PARTS): string | undefined => {
  const whole = glossary.words.get(word);
  if (whole || !partsLeft) return whole;
  for (let length = word.length; length > 1; length--) {
    const gloss = beginningOf(glossary, word, length);
    if (!gloss) continue;
    const rest = word.slice(length).replace(JOINT, '');
    const restGloss = rest.length >= MIN_PART ? glossWord(glossary, rest, partsLeft - 1) : undefined;
    return restGloss ? `${gloss} ${restGloss}` : gloss;
  }
  return undefined;
};

/** Returns a text with the English glosses of its words; unchanged for a language without a glossary. */
export const glossText = (text: string, language: string): string => {
  const glossary = glossaryOf(languageCode(language));
  if (!glossary) return text;
  return foldedWords(text)
    .map((word) => glossWord(glossary, word) ?? word)
    .join(' ');
};
