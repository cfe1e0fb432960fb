/**
 * BM25 as sparse vectors, for an engine without full-text search. The engine multiplies the weights of the terms by
 * their IDF and adds up the products.
 */
import { removeAccents, UNSPACED_SCRIPT } from '../search/fold.ts';

/** A sparse vector in Qdrant's format. */
export interface SparseVector {
  indices: number[];
  values: number[];
}

const BM25_K1 = 1.2;
const BM25_B = 0.75;
/**
 * The assumed mean number of words per chunk. It is a constant, because a measured mean would change all stored weights
 * with each new row.
 */
const AVERAGE_CHUNK_WORDS = 100;

const STOP_WORDS = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to ' +
    'was will with'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}]+/gu;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Endings and their replacements. The first ending that matches and leaves at least three letters is replaced. */
const WORD_ENDINGS: [string, string][] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ingly', ''],
  ['edly', ''],
  ['iness', 'i'],
  ['ness', ''],
  ['ments', ''],
  ['ment', ''],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'i'],
  ['ied', 'i'],
  ['ers', ''],
  ['ed', ''],
  ['er', ''],
  ['es', ''],
  ['y', 'i'],
  ['s', ''],
  ['e', ''],
];

/** Returns an approximate stem of an English word. Words of other languages may be shortened, too. */
export function stem(word: string): string {
  for (const [ending, replacement] of WORD_ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 3 || word.endsWith('ss')) continue;
    const root = word.slice(0, -ending.length) + replacement;
    return /([b-df-hjkm-np-rtv-z])\1$/.test(root) ? root.slice(0, -1) : root;
  }
  return word;
}

/** Returns the terms of a text in order: its words except stop words, in lower case, without accents, and stemmed. */
export function splitTerms(text: string): string[] {
  const folded = removeAccents(text).toLowerCase();
  const words: string[] = folded.match(WORD) ?? [];
  const split = words.flatMap((word) =>
    UNSPACED_SCRIPT.test(word) ? [...segmenter.segment(word)].map(({ segment }) => segment) : [word],
  );
  return split.filter((word) => !STOP_WORDS.has(word)).map(stem);
}

/** The 32-bit FNV-1a hash of a word; collisions between the words of a namespace are rare. */
function termIndex(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

function countTerms(text: string): { length: number; countByIndex: Map<number, number> } {
  const words = splitTerms(text);
  const countByIndex = new Map<number, number>();
  for (const index of words.map(termIndex)) countByIndex.set(index, (countByIndex.get(index) ?? 0) + 1);
  return { length: words.length, countByIndex };
}

/** Returns the weights of a chunk's terms: the BM25 term frequencies, saturated and normalized by its word count. */
export function chunkVector(text: string): SparseVector {
  const { length, countByIndex } = countTerms(text);
  const norm = BM25_K1 * (1 - BM25_B + (BM25_B * length) / AVERAGE_CHUNK_WORDS);
  const values = [...countByIndex.values()].map((count) => (count * (BM25_K1 + 1)) / (count + norm));
  return { indices: [...countByIndex.keys()], values };
}

/** Returns the weights of a question's terms: 1 for each. */
export function queryVector(question: string): SparseVector {
  const indices = [...countTerms(question).countByIndex.keys()];
  return { indices, values: indices.map(() => 1) };
}
