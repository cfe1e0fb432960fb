/** Full text as sparse vectors, for an engine that has none of its own: BM25 = the engine's IDF × these weights. */

/** Places and weights, as Qdrant takes them. */
export interface Sparse {
  indices: number[];
  values: number[];
}

const K1 = 1.2;
const B = 0.75;
/** Words of an average chunk; a constant, as a true average would change the weights of all rows with each row. */
const AVERAGE_LENGTH = 100;

const STOP_WORDS = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to ' +
    'was will with'
  ).split(' '),
);

const MARKS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Endings cut off, longest first, and what stands in their place; at least three letters remain. */
const ENDINGS: [string, string][] = [
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

/** One form for the forms of an English word, roughly; other words mostly stay. */
export function stem(word: string): string {
  for (const [ending, instead] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < 3 || word.endsWith('ss')) continue;
    const root = word.slice(0, -ending.length) + instead;
    return /([b-df-hjkm-np-rtv-z])\1$/.test(root) ? root.slice(0, -1) : root;
  }
  return word;
}

/** The words of a text: lower case, without accents and stop words, stemmed, in order. */
export function terms(text: string): string[] {
  // Composed again, as Hangul would fall apart into letters.
  const plain = text.normalize('NFKD').replace(MARKS, '').normalize('NFC').toLowerCase();
  const words: string[] = plain.match(WORDS) ?? [];
  const split = words.flatMap((word) =>
    UNSPACED.test(word) ? [...segmenter.segment(word)].map((s) => s.segment) : [word],
  );
  return split.filter((word) => !STOP_WORDS.has(word)).map(stem);
}

/** FNV-1a: 32 bits, of which a namespace's words hit few twice. */
function place(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function counts(text: string): { length: number; byPlace: Map<number, number> } {
  const words = terms(text);
  const byPlace = new Map<number, number>();
  for (const at of words.map(place)) byPlace.set(at, (byPlace.get(at) ?? 0) + 1);
  return { length: words.length, byPlace };
}

/** A chunk's weights: how often a word stands in it, saturating, less in a long chunk. */
export function weightsOf(text: string): Sparse {
  const { length, byPlace } = counts(text);
  const norm = K1 * (1 - B + (B * length) / AVERAGE_LENGTH);
  return { indices: [...byPlace.keys()], values: [...byPlace.values()].map((n) => (n * (K1 + 1)) / (n + norm)) };
}

/** A question's weights: each of its words once. */
export function wordsOf(question: string): Sparse {
  const indices = [...counts(question).byPlace.keys()];
  return { indices, values: indices.map(() => 1) };
}
