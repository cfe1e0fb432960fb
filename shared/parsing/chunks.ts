/**
 * Splits blocks into chunks of at most `CHUNK_TOKENS` tokens: along headings first, then along the structure of the
 * text.
 */
import { shortenHeading } from './block-splitter.ts';
import type { Block } from './blocks.ts';
import { type ChunkPiece, toPieces } from './chunk-pieces.ts';
import { countTokens } from './count-tokens.ts';

/** A chunk in Markdown. `headings` is the path from the page's title to the chunk; `tokens` counts the text only. */
export type Chunk = { text: string; headings: string[]; tokens: number };

/**
 * A chunk with fewer tokens carries too little meaning and may be joined with its neighbour; both keep their headings.
 */
const TINY_TOKENS = 24;

/** Splits blocks into chunks in reading order. No chunk has more than `limit` tokens. The result is deterministic. */
export function toChunks(title: string, blocks: Block[], limit: number): Chunk[] {
  const pieces = [...toPieces(blocks, title ? [shortenHeading(title)] : [], limit)];
  const chunks = joinTiny(joinTinyIntroductions(packSections(pieces, limit), limit), limit);
  return chunks.map(({ text, headings, tokens }) => ({ text, headings, tokens }));
}

/** Packs the pieces under each heading into as few chunks as possible, of about equal size. */
function packSections(pieces: ChunkPiece[], limit: number): ChunkPiece[] {
  const chunks: ChunkPiece[] = [];
  for (const section of sectionsOf(pieces).map((pieces) => joinAfterColons(pieces, limit))) {
    const maxTokens = evenChunkSize(
      section.map(({ tokens }) => tokens),
      limit,
    );
    const first = chunks.length;
    for (const piece of section) {
      const last = chunks.length > first ? chunks.at(-1) : undefined;
      if (last && last.tokens + piece.tokens <= maxTokens)
        chunks[chunks.length - 1] = joinPieces(last, piece, piece.headings);
      else chunks.push(piece);
    }
  }
  return chunks;
}

/** Joins a piece that ends in a colon with the piece that it introduces. */
function joinAfterColons(pieces: ChunkPiece[], limit: number): ChunkPiece[] {
  const joined: ChunkPiece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const isIntroduced = before?.text.endsWith(':') && before.tokens + piece.tokens <= limit;
    if (before && isIntroduced) joined[joined.length - 1] = joinPieces(before, piece, piece.headings);
    else joined.push(piece);
  }
  return joined;
}

/** Returns the smallest chunk size that needs no more chunks than `limit` does. */
function evenChunkSize(sizes: number[], limit: number): number {
  const minChunks = chunksNeeded(sizes, limit);
  let low = sizes.reduce((max, size) => Math.max(max, size), 1);
  let high = limit;
  while (low < high) {
    const size = Math.floor((low + high) / 2);
    if (chunksNeeded(sizes, size) <= minChunks) high = size;
    else low = size + 1;
  }
  return high;
}

function chunksNeeded(sizes: number[], limit: number): number {
  let chunks = 1;
  let filled = 0;
  for (const size of sizes) {
    if (filled + size > limit) chunks++;
    filled = filled + size > limit ? size : filled + size;
  }
  return chunks;
}

function sectionsOf(pieces: ChunkPiece[]): ChunkPiece[][] {
  const sections: ChunkPiece[][] = [];
  for (const piece of pieces) {
    const section = sections.at(-1);
    if (section?.[0]?.headings === piece.headings) section.push(piece);
    else sections.push([piece]);
  }
  return sections;
}

/** Joins a tiny introduction with the first chunk below it. */
function joinTinyIntroductions(chunks: ChunkPiece[], limit: number): ChunkPiece[] {
  const joined: ChunkPiece[] = [];
  for (const chunk of chunks) {
    const before = joined.at(-1);
    const introduces =
      before &&
      isTiny(before) &&
      chunk.headings.length > before.headings.length &&
      countSharedHeadings(before, chunk) === before.headings.length;
    if (introduces && before.tokens + chunk.tokens <= limit)
      joined[joined.length - 1] = joinPieces(before, chunk, chunk.headings);
    else joined.push(chunk);
  }
  return joined;
}

/**
 * Joins a tiny chunk with a short chunk before it if their paths differ at most in the last heading, which is then put
 * into the text of each.
 */
function joinTiny(chunks: ChunkPiece[], limit: number): ChunkPiece[] {
  const joined: ChunkPiece[] = [];
  for (const chunk of chunks) {
    const before = joined.at(-1);
    const common = before ? countSharedHeadings(before, chunk) : 0;
    const near = before && common >= Math.max(before.headings.length, chunk.headings.length) - 1;
    const pair =
      near &&
      joinPieces(withLostHeadings(before, common), withLostHeadings(chunk, common), chunk.headings.slice(0, common));
    if (pair && pair.tokens <= Math.min(limit, 3 * TINY_TOKENS) && isTiny(chunk)) joined[joined.length - 1] = pair;
    else joined.push(chunk);
  }
  return joined;
}

const isTiny = ({ tokens }: ChunkPiece): boolean => tokens < TINY_TOKENS;

/** Returns how many leading headings two paths share. */
function countSharedHeadings(one: ChunkPiece, other: ChunkPiece): number {
  const firstDifference = one.headings.findIndex((heading, at) => heading !== other.headings[at]);
  return firstDifference < 0 ? one.headings.length : firstDifference;
}

/** Adds the headings of a piece beyond the first `keptCount` to its text, because its path will lose them. */
function withLostHeadings(piece: ChunkPiece, keptCount: number): ChunkPiece {
  const lost = piece.headings.slice(keptCount).join(' > ');
  return lost
    ? { ...piece, glue: '\n\n', text: `## ${lost}\n\n${piece.text}`, tokens: piece.tokens + countTokens(`## ${lost}`) }
    : piece;
}

/** Joins two pieces. Their token counts add up, because white space separates them. */
const joinPieces = (one: ChunkPiece, other: ChunkPiece, headings: string[]): ChunkPiece => ({
  ...one,
  headings,
  text: one.text + other.glue + other.text,
  tokens: one.tokens + other.tokens,
});
