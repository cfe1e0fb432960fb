/**
 * Splits a text into the pieces of a vocabulary that have the highest total score (the unigram model of SentencePiece).
 * The score of a piece is the logarithm of its frequency. The vocabulary is kept in typed arrays, because a map of
 * strings would take ten times the memory.
 */
import { readFileSync } from 'node:fs';

const SPACES = /[\p{Cc}\p{Z}\u{200B}-\u{200F}\u{FEFF}]+/gu;
/** Replaces each space, and is added at the beginning of a text. */
const SPACE = '▁';
/** The score of a character without a piece is lower than that of the rarest piece by this amount. */
const UNKNOWN_PENALTY = 10;
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** A vocabulary that finds pieces by the hash of their UTF-16 code units. */
class Vocabulary {
  readonly scores: Float32Array;
  readonly maxLength: number;
  readonly #text: string;
  readonly #starts: Uint32Array;
  /** A hash table with linear probing. An entry is the id of a piece plus one, or 0 if it is empty. */
  readonly #places: Uint32Array;

  /** Reads the format that `scripts/set-up/intent-encoder/vocabulary.mjs` writes. */
  constructor(file: string) {
    const content = readFileSync(file);
    const count = content.readUInt32LE(0);
    this.scores = new Float32Array(Uint8Array.from(content.subarray(4, 4 + 4 * count)).buffer);
    this.#text = `${content.toString('utf8', 4 + 4 * count)}\n`;
    this.#starts = new Uint32Array(count + 1);
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count)));
    this.maxLength = this.#addPieces(count);
  }

  /** Returns the id of the piece that equals a part of `text`, whose hash is `hash`; undefined if there is none. */
  find(hash: number, text: string, [start, end]: [start: number, end: number]): number | undefined {
    for (let place = hash & (this.#places.length - 1); ; place = (place + 1) & (this.#places.length - 1)) {
      const entry = this.#places[place] ?? 0;
      if (entry === 0) return undefined;
      if (this.#isPiece(entry - 1, text, [start, end])) return entry - 1;
    }
  }

  #isPiece(id: number, text: string, [start, end]: [start: number, end: number]): boolean {
    const from = this.#starts[id] ?? 0;
    if ((this.#starts[id + 1] ?? 0) - 1 - from !== end - start) return false;
    for (let index = 0; index < end - start; index++)
      if (this.#text.charCodeAt(from + index) !== text.charCodeAt(start + index)) return false;
    return true;
  }

  /** Fills the table and returns the length of the longest piece. */
  #addPieces(count: number): number {
    let maxLength = 0;
    let start = 0;
    for (let id = 0; id < count; id++) {
      let hash = HASH_START;
      let end = start;
      for (; this.#text.charCodeAt(end) !== 10; end++) hash = extendHash(hash, this.#text.charCodeAt(end));
      this.#starts[id] = start;
      maxLength = Math.max(maxLength, end - start);
      if (end > start) this.#place(hash, id);
      start = end + 1;
    }
    this.#starts[count] = start;
    return maxLength;
  }

  #place(hash: number, id: number): void {
    let place = hash & (this.#places.length - 1);
    while (this.#places[place]) place = (place + 1) & (this.#places.length - 1);
    this.#places[place] = id + 1;
  }
}

const extendHash = (hash: number, codeUnit: number): number => Math.imul(hash ^ codeUnit, HASH_FACTOR);

/** The best way to split the beginning of a text: its score, and its last piece. */
interface Split {
  score: number;
  start: number;
  id: number;
}

const NO_SPLIT: Split = { score: Number.NEGATIVE_INFINITY, start: 0, id: 0 };

/** The tokenizer for a vocabulary. `unknownId` is the id for characters that no piece contains. */
export class UnigramTokenizer {
  readonly #vocabulary: Vocabulary;
  readonly #unknownId: number;
  readonly #unknownScore: number;

  constructor(file: string, unknownId: number) {
    this.#vocabulary = new Vocabulary(file);
    this.#unknownId = unknownId;
    this.#unknownScore = this.#vocabulary.scores.reduce((one, other) => Math.min(one, other)) - UNKNOWN_PENALTY;
  }

  /** Returns the ids of the pieces of a text, without special tokens. */
  encode(text: string): number[] {
    const words = text.normalize('NFKC').replaceAll(SPACES, ' ').trim();
    return words ? this.#split(SPACE + words.replaceAll(' ', SPACE)) : [];
  }

  /** Returns the rarity of a piece, from 0 for a special token to about 20. */
  rarityOf(id: number): number {
    return -(this.#vocabulary.scores[id] ?? 0);
  }

  #split(text: string): number[] {
    const splits = Array.from({ length: text.length + 1 }, () => NO_SPLIT);
    splits[0] = { score: 0, start: 0, id: 0 };
    for (let start = 0; start < text.length; start++) this.#addPiecesAt(text, start, splits);
    const ids: number[] = [];
    for (let end = text.length; end > 0; end = splits[end]?.start ?? 0) ids.push(splits[end]?.id ?? 0);
    return ids.toReversed();
  }

  #addPiecesAt(text: string, start: number, splits: Split[]): void {
    const { score } = splits[start] ?? NO_SPLIT;
    if (score === NO_SPLIT.score) return; // in the middle of a character of two code units
    const offer = (end: number, id: number, pieceScore: number) => {
      if (score + pieceScore > (splits[end]?.score ?? 0)) splits[end] = { score: score + pieceScore, start, id };
    };
    const { scores, maxLength } = this.#vocabulary;
    let hash = HASH_START;
    for (let end = start + 1; end <= Math.min(text.length, start + maxLength); end++) {
      hash = extendHash(hash, text.charCodeAt(end - 1));
      const id = this.#vocabulary.find(hash, text, [start, end]);
      if (id !== undefined) offer(end, id, scores[id] ?? 0);
    }
    offer(start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1), this.#unknownId, this.#unknownScore);
  }
}
