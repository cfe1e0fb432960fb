/**
 * The English glosses of one language, read from `data/glossaries/<language>.txt`. A word is looked up as it is
 * written, then without its ending, as a form of an irregular verb, and as a compound of known words.
 */
import { existsSync, readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { fold } from './words.ts';

/** Minimum length of a word without its ending, and of a part of a compound. */
const MIN_STEM = 3;
const MIN_PART = 4;
/** Minimum length of the beginning that an unknown word shares with a known one. */
const MIN_BEGINNING = 5;
const MAX_PARTS = 4;
/** Letters between the prefix and the stem of a German verb, as in `abgeholt` and `abzuholen`. */
const INFIXES = ['ge', 'zu'];
const MAX_WORD_CHARACTERS = 64;
/** The gloss of a word or part that has no counterpart in English. */
export const NO_GLOSS = '-';
const MAX_CACHED_WORDS = 20_000;

const fileOf = (language: string): URL => new URL(`./data/glossaries/${language}.txt`, import.meta.url);

/** Reads the lines of each section of a glossary. */
const readSections = (language: string): Map<string, string[]> => {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of readFileSync(fileOf(language), 'utf8').split('\n'))
    if (line.startsWith('[')) sections.set(line.slice(1, -1), (lines = []));
    else if (line && !line.startsWith('#')) lines.push(line);
  return sections;
};

/** Splits `key: word word`. */
const parseLine = (line: string): [key: string, words: string[]] => {
  const [key = '', words = ''] = line.split(': ');
  return [key, words.split(' ')];
};

/** `-` stands for no ending. */
const foldEnding = (ending: string): string => (ending === '-' ? '' : fold(ending));

const addIfMissing = (map: Map<string, string>, key: string, value: string): void => {
  if (!map.has(key)) map.set(key, value);
};

export class Glossary {
  /** Glosses by word, as it is written and folded. */
  readonly #words = new Map<string, string>();
  /** Infinitives by the beginning of an irregular form. */
  readonly #infinitives = new Map<string, string>();
  /** The endings of dictionary forms by the endings that replace them. */
  readonly #endings = new Map<string, string[]>();
  readonly #maxEnding: number;
  readonly #separable: Set<string>;
  readonly #prefixes: string[];
  readonly #conjunctions: Set<string>;
  /** The glosses of words that have been looked up; empty for unknown words. */
  readonly #cached = new LRUCache<string, string>({ max: MAX_CACHED_WORDS });
  /** Number of words of the longest entry. */
  readonly maxWords: number;

  constructor(language: string) {
    const sections = readSections(language);
    const wordsOf = (section: string) => (sections.get(section) ?? []).flatMap((line) => fold(line).split(' '));
    for (const [citation, endings] of (sections.get('endings') ?? []).map(parseLine))
      for (const ending of endings.map(foldEnding))
        this.#endings.set(ending, [...(this.#endings.get(ending) ?? []), foldEnding(citation)]);
    this.#maxEnding = Math.max(...this.#endings.keys().map(({ length }) => length));
    this.#separable = new Set(wordsOf('separable prefixes'));
    this.#prefixes = ['', ...this.#separable, ...wordsOf('inseparable prefixes')];
    this.#conjunctions = new Set(wordsOf('conjunctions'));
    for (const [infinitive, forms] of (sections.get('irregular forms') ?? []).map(parseLine))
      for (const form of forms) addIfMissing(this.#infinitives, fold(form), fold(infinitive));
    const entries = (sections.get('glosses') ?? []).map(parseLine);
    for (const [gloss, words] of entries) for (const word of words) this.#words.set(word.toLowerCase(), gloss);
    for (const [gloss, words] of entries) for (const word of words) addIfMissing(this.#words, fold(word), gloss);
    this.maxWords = Math.max(...this.#words.keys().map((word) => word.split('_').length));
  }

  /** Whether a glossary of this language exists. */
  static exists(language: string): boolean {
    return /^[a-z]{2,3}$/.test(language) && existsSync(fileOf(language));
  }

  /** The gloss of an entry of several words, joined by `_`. */
  glossOfEntry(entry: string): string | undefined {
    return this.#words.get(entry);
  }

  /** The gloss of a verb whose separable prefix stands elsewhere in the clause. */
  glossOfSeparated(verb: string, prefix: string): string | undefined {
    return this.#separable.has(prefix) ? this.#glossOfForm(prefix + fold(verb)) : undefined;
  }

  isSeparablePrefix(word: string): boolean {
    return this.#separable.has(word);
  }

  /** Whether a word begins a clause. */
  isConjunction(word: string): boolean {
    return this.#conjunctions.has(word);
  }

  /** The gloss of a word; undefined if no part of it is known. */
  glossOf(word: string): string | undefined {
    const lower = word.slice(0, MAX_WORD_CHARACTERS).toLowerCase();
    const gloss = this.#cached.get(lower) ?? this.#lookUp(lower) ?? '';
    this.#cached.set(lower, gloss);
    return gloss || undefined;
  }

  /** Looks a word up as it is written, without accents, and with umlauts instead of `ae`, `oe` and `ue`. */
  #lookUp(word: string): string | undefined {
    const folded = fold(word);
    return (
      this.#words.get(word) ?? this.#glossOfFolded(folded) ?? this.#glossOfFolded(folded.replaceAll(/(?<=[aou])e/g, ''))
    );
  }

  #glossOfFolded(word: string): string | undefined {
    return this.#glossOfForm(word) ?? this.#glossOfCompound(word) ?? this.#glossOfBeginning(word);
  }

  /** The gloss of an inflected word that is no compound. */
  #glossOfForm(word: string): string | undefined {
    for (const form of [word, ...this.#withoutInfix(word)]) {
      const gloss = this.#words.get(form) ?? this.#glossOfRegular(form) ?? this.#glossOfIrregular(form);
      if (gloss) return gloss;
    }
    return undefined;
  }

  #withoutInfix(word: string): string[] {
    const prefixes = this.#prefixes.filter((prefix) => word.startsWith(prefix));
    return prefixes.flatMap((prefix) =>
      INFIXES.filter((infix) => this.#separable.size && word.startsWith(infix, prefix.length)).map(
        (infix) => prefix + word.slice(prefix.length + infix.length),
      ),
    );
  }

  /** The endings that a word may have, shortest first. */
  #endingsOf(word: string): string[] {
    const lengths = Array.from(
      { length: Math.min(this.#maxEnding, word.length - MIN_STEM) + 1 },
      (_, length) => length,
    );
    return lengths.map((length) => word.slice(word.length - length)).filter((ending) => this.#endings.has(ending));
  }

  #glossOfRegular(word: string): string | undefined {
    for (const ending of this.#endingsOf(word))
      for (const citation of this.#endings.get(ending) ?? []) {
        const gloss = this.#words.get(word.slice(0, word.length - ending.length) + citation);
        if (gloss) return gloss;
      }
    return undefined;
  }

  #glossOfIrregular(word: string): string | undefined {
    for (const prefix of this.#prefixes.filter((each) => word.startsWith(each))) {
      const form = word.slice(prefix.length);
      for (const ending of ['', ...this.#endingsOf(form)]) {
        const infinitive = this.#infinitives.get(form.slice(0, form.length - ending.length));
        const gloss = infinitive && this.#words.get(prefix + infinitive);
        if (gloss) return gloss;
      }
    }
    return undefined;
  }

  /**
   * The glosses of the parts of a compound, all of which are known, apart from prefixes. Joints such as `s` are endings
   * of the parts.
   */
  #glossOfCompound(word: string, partsLeft = MAX_PARTS): string | undefined {
    if (!this.#separable.size || partsLeft === 1) return undefined;
    for (let length = word.length - MIN_STEM; length >= MIN_STEM; length--) {
      const part = word.slice(0, length);
      const first = this.#prefixes.includes(part) ? NO_GLOSS : this.#glossOfPart(part);
      const rest = first && word.slice(length);
      const restGloss = rest && (this.#glossOfPart(rest) ?? this.#glossOfCompound(rest, partsLeft - 1));
      if (restGloss) return first === NO_GLOSS ? restGloss : `${first} ${restGloss}`;
    }
    return undefined;
  }

  #glossOfPart(part: string): string | undefined {
    return this.#words.get(part) ?? (part.length < MIN_PART ? undefined : this.#glossOfRegular(part));
  }

  /** The gloss of the known word with which an unknown one begins. */
  #glossOfBeginning(word: string): string | undefined {
    for (let length = word.length - 1; length >= MIN_BEGINNING; length--) {
      const gloss = this.#glossOfForm(word.slice(0, length));
      if (gloss) return gloss;
    }
    return undefined;
  }
}
