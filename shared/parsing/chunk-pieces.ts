/** Splits blocks into pieces: texts that fit into a chunk and are not split further, each with its heading path. */
import { shortenHeading, splitBlock } from './block-splitter.ts';
import { type Block, toMarkdown } from './blocks.ts';
import { countTokens } from './count-tokens.ts';

/** A part of a chunk; `glue` separates it from the previous piece of the same chunk. */
export type ChunkPiece = { text: string; headings: string[]; tokens: number; glue: string };

/** Maximum number of tokens of a heading path. The local embedding model reads 256; the chunk's text gets the rest. */
const MAX_PATH_TOKENS = 48;

/**
 * Yields the pieces of a sequence of blocks. A definition that is too long for a chunk becomes a section under its
 * term.
 */
export function* toPieces(blocks: Block[], root: string[], limit: number): Generator<ChunkPiece> {
  const open: { level: number; text: string }[] = [];
  let path = root;
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      while (open.length > 0 && (open.at(-1)?.level ?? 0) >= block.level) open.pop();
      const above = pathOf(root, open);
      open.push(block);
      path = pathOf(root, open);
      const isText = endsSection(block.level, blocks[at + 1]) || shortenHeading(block.text) !== block.text;
      if (isText) yield* blockPieces({ kind: 'text', text: block.text }, { headings: above, glue: '\n\n' }, limit);
    } else {
      const follows = block.kind === 'item' && blocks[at - 1]?.kind === 'item';
      yield* blockPieces(block, { headings: path, glue: follows ? '\n' : '\n\n' }, limit);
    }
  }
}

/** Yields the pieces of a long definition. The term is the first piece, and is part of the path of every piece. */
function* definitionPieces(
  { term, body }: Block & { kind: 'definition' },
  path: string[],
  limit: number,
): Generator<ChunkPiece> {
  const inner = shortenPath([...path, shortenHeading(term)]);
  yield* blockPieces({ kind: 'text', text: term }, { headings: inner, glue: '\n\n' }, limit);
  yield* toPieces(body, inner, limit);
}

function* blockPieces(
  block: Block,
  place: Pick<ChunkPiece, 'headings' | 'glue'>,
  limit: number,
): Generator<ChunkPiece> {
  const whole = toMarkdown(block);
  const size = countTokens(whole);
  if (size <= limit) yield { ...place, text: whole, tokens: size };
  else if (block.kind === 'definition') yield* definitionPieces(block, place.headings, limit);
  else for (const text of splitBlock(block, limit)) yield { ...place, text, tokens: countTokens(text) };
}

/** Whether a heading has an empty section. The heading itself is then a piece. */
const endsSection = (level: number, next: Block | undefined): boolean =>
  !next || (next.kind === 'heading' && next.level <= level);

/** Returns `root` followed by the headings of the sections that are open, without repeating the page's title. */
function pathOf(root: string[], open: { text: string }[]): string[] {
  const headings = open.map(({ text }) => shortenHeading(text));
  return shortenPath([...root, ...(headings[0] === root.at(-1) ? headings.slice(1) : headings)]);
}

/** Shortens a path to MAX_PATH_TOKENS: removes the upper headings below the title first, and the title last. */
function shortenPath(path: string[]): string[] {
  let short = path;
  while (short.length > 1 && countTokens(short.join(' > ')) > MAX_PATH_TOKENS)
    short = short.toSpliced(short.length > 2 ? 1 : 0, 1);
  return short;
}
