/** Counts the tokens of the local embedding model in a text, word by word. */
import { tokenIds, UNKNOWN_TOKEN_ID } from '../embedding/tokenizer.ts';

const WORD = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const ASCII = /^[\0-\x7f]*$/;
/** Equivalent to WORD for ASCII texts, and several times faster. */
const ASCII_WORD = /[a-z0-9]+|[^\sa-z0-9]/gi;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/**
 * The model reads a longer word as one unknown token. Such a word counts as one token per two characters, so that it
 * cannot make a chunk too long.
 */
const MAX_WORD_CHARACTERS = 100;
const MAX_CACHED_WORDS = 50_000;

/** Cleared when full: a lookup in an LRU cache takes 1.7 times as long. */
let countCache = new Map<string, number>();

/**
 * Returns an upper bound for the number of tokens in a text, excluding `[CLS]` and `[SEP]`. It exceeds the model's own
 * count only for texts with very long words, unknown letters or scripts without spaces.
 */
export function countTokens(text: string): number {
  const words = (ASCII.test(text) ? ASCII_WORD : WORD)[Symbol.match](text);
  return words?.reduce((tokens, word) => tokens + countWord(word), 0) ?? 0;
}

function countWord(word: string): number {
  if (word.length === 1 && word <= '\x7f') return 1;
  const cached = countCache.get(word);
  if (cached !== undefined) return cached;
  const count =
    word.length > MAX_WORD_CHARACTERS
      ? Math.ceil(word.length / 2)
      : SPACELESS.test(word)
        ? word.length
        : countPieces(word);
  if (countCache.size >= MAX_CACHED_WORDS) countCache = new Map();
  countCache.set(word, count);
  return count;
}

/** The model reads a word with an unknown letter as one unknown token. Here, it counts as one token per character. */
function countPieces(word: string): number {
  const ids = tokenIds(word).slice(1, -1);
  return ids.includes(UNKNOWN_TOKEN_ID) ? word.length : Math.max(1, ids.length);
}
