/** Blocks to passages that fit the embedding model: along headings first, then along the shapes of the text. */
import type { Block } from './blocks.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { shorten } from './split.ts';
import { countTokens } from './tokens.ts';

/** A passage in Markdown; `headings` leads from the page's title down to it; `tokens` counts the text alone. */
export type Chunk = { text: string; headings: string[]; tokens: number };

/** A passage shorter than this says too little alone and may stand with its neighbour under both headings. */
const TINY = 24;

/** The chunks of a text, in its order; none has more than `limit` tokens; the same blocks always give the same chunks. */
export function chunksOf(title: string, blocks: Block[], limit: number): Chunk[] {
  const pieces = [...piecesOf(blocks, title ? [shorten(title)] : [], limit)];
  const chunks = joinTiny(joinIntroductions(packSections(pieces, limit), limit), limit);
  return chunks.map(({ text, headings, tokens }) => ({ text, headings, tokens }));
}

/** Neighbours under one heading together: in as few chunks as hold them, and these of about equal size. */
function packSections(pieces: Piece[], limit: number): Piece[] {
  const chunks: Piece[] = [];
  for (const section of sectionsOf(pieces).map((pieces) => joinAnnounced(pieces, limit))) {
    const cap = evenCap(
      section.map(({ tokens }) => tokens),
      limit,
    );
    const first = chunks.length;
    for (const piece of section) {
      const last = chunks.length > first ? chunks.at(-1) : undefined;
      if (last && last.tokens + piece.tokens <= cap) chunks[chunks.length - 1] = join(last, piece, piece.headings);
      else chunks.push(piece);
    }
  }
  return chunks;
}

/** A sentence that ends in a colon stays with what it announces. */
function joinAnnounced(pieces: Piece[], limit: number): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const announced = before?.text.endsWith(':') && before.tokens + piece.tokens <= limit;
    if (before && announced) joined[joined.length - 1] = join(before, piece, piece.headings);
    else joined.push(piece);
  }
  return joined;
}

/** The least size of chunk that needs no more chunks than the limit itself. */
function evenCap(sizes: number[], limit: number): number {
  const fewest = chunksNeeded(sizes, limit);
  let low = sizes.reduce((most, size) => Math.max(most, size), 1);
  let high = limit;
  while (low < high) {
    const cap = Math.floor((low + high) / 2);
    if (chunksNeeded(sizes, cap) <= fewest) high = cap;
    else low = cap + 1;
  }
  return high;
}

function chunksNeeded(sizes: number[], cap: number): number {
  let chunks = 1;
  let filled = 0;
  for (const size of sizes) {
    if (filled + size > cap) chunks++;
    filled = filled + size > cap ? size : filled + size;
  }
  return chunks;
}

function sectionsOf(pieces: Piece[]): Piece[][] {
  const sections: Piece[][] = [];
  for (const piece of pieces) {
    const section = sections.at(-1);
    if (section?.[0]?.headings === piece.headings) section.push(piece);
    else sections.push([piece]);
  }
  return sections;
}

/** A tiny introduction goes in front of the first passage below it. */
function joinIntroductions(chunks: Piece[], limit: number): Piece[] {
  const joined: Piece[] = [];
  for (const chunk of chunks) {
    const before = joined.at(-1);
    const introduces =
      before &&
      isTiny(before) &&
      chunk.headings.length > before.headings.length &&
      shared(before, chunk) === before.headings.length;
    if (introduces && before.tokens + chunk.tokens <= limit)
      joined[joined.length - 1] = join(before, chunk, chunk.headings);
    else joined.push(chunk);
  }
  return joined;
}

/** Tiny passages of neighbouring headings go together, each under its own heading within the text. */
function joinTiny(chunks: Piece[], limit: number): Piece[] {
  const joined: Piece[] = [];
  for (const chunk of chunks) {
    const before = joined.at(-1);
    const common = before ? shared(before, chunk) : 0;
    const near = before && common >= Math.max(before.headings.length, chunk.headings.length) - 1;
    const pair = near && join(titled(before, common), titled(chunk, common), chunk.headings.slice(0, common));
    if (pair && pair.tokens <= Math.min(limit, 3 * TINY) && isTiny(chunk)) joined[joined.length - 1] = pair;
    else joined.push(chunk);
  }
  return joined;
}

const isTiny = ({ tokens }: Piece): boolean => tokens < TINY;

/** How many headings two paths have in common from the top. */
function shared(one: Piece, other: Piece): number {
  const parting = one.headings.findIndex((heading, at) => heading !== other.headings[at]);
  return parting < 0 ? one.headings.length : parting;
}

/** A passage that names within its text the headings which its path is about to lose. */
function titled(piece: Piece, kept: number): Piece {
  const lost = piece.headings.slice(kept).join(' > ');
  return lost
    ? { ...piece, glue: '\n\n', text: `## ${lost}\n\n${piece.text}`, tokens: piece.tokens + countTokens(`## ${lost}`) }
    : piece;
}

/** Two passages as one; tokens of texts parted by space add up. */
const join = (one: Piece, other: Piece, headings: string[]): Piece => ({
  ...one,
  headings,
  text: one.text + other.glue + other.text,
  tokens: one.tokens + other.tokens,
});
