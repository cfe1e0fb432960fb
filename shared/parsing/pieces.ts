/** Blocks to pieces: texts that fit a chunk and are never cut again, each with the headings that lead to it. */
import { type Block, toMarkdown } from './blocks.ts';
import { shorten, splitBlock } from './split.ts';
import { countTokens } from './tokens.ts';

/** What chunks are put together from; `glue` parts it from the piece before in the same chunk. */
export type Piece = { text: string; headings: string[]; tokens: number; glue: string };

/** Tokens the heading path may take beside a chunk's text: what the local model's 256 leave. */
const PATH_TOKENS = 48;

/** The pieces of a run of blocks. A definition too long for a chunk becomes a section under its term. */
export function* piecesOf(blocks: Block[], root: string[], limit: number): Generator<Piece> {
  const open: { level: number; text: string }[] = [];
  let path = root;
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      while (open.length > 0 && (open.at(-1)?.level ?? 0) >= block.level) open.pop();
      const above = pathOf(root, open);
      open.push(block);
      path = pathOf(root, open);
      const onlyThere = endsSection(block.level, blocks[at + 1]) || shorten(block.text) !== block.text;
      if (onlyThere) yield* cut({ kind: 'text', text: block.text }, { headings: above, glue: '\n\n' }, limit);
    } else {
      const follows = block.kind === 'item' && blocks[at - 1]?.kind === 'item';
      yield* cut(block, { headings: path, glue: follows ? '\n' : '\n\n' }, limit);
    }
  }
}

/** A long definition: its term opens the first piece and leads the path of all. */
function* section({ term, body }: Block & { kind: 'definition' }, path: string[], limit: number): Generator<Piece> {
  const inner = fit([...path, shorten(term)]);
  yield* cut({ kind: 'text', text: term }, { headings: inner, glue: '\n\n' }, limit);
  yield* piecesOf(body, inner, limit);
}

function* cut(block: Block, place: Pick<Piece, 'headings' | 'glue'>, limit: number): Generator<Piece> {
  const whole = toMarkdown(block);
  const size = countTokens(whole);
  if (size <= limit) yield { ...place, text: whole, tokens: size };
  else if (block.kind === 'definition') yield* section(block, place.headings, limit);
  else for (const text of splitBlock(block, limit)) yield { ...place, text, tokens: countTokens(text) };
}

/** A heading with nothing under it is itself the text. */
const endsSection = (level: number, next: Block | undefined): boolean =>
  !next || (next.kind === 'heading' && next.level <= level);

/** The path below `root`; the page's own title is not said twice. */
function pathOf(root: string[], open: { text: string }[]): string[] {
  const own = open.map(({ text }) => shorten(text));
  return fit(own[0] === root.at(-1) ? [...root, ...own.slice(1)] : [...root, ...own]);
}

/** A path that leaves the text its room: the title and the nearest headings stay. */
function fit(path: string[]): string[] {
  let kept = path;
  while (kept.length > 1 && countTokens(kept.join(' > ')) > PATH_TOKENS)
    kept = kept.toSpliced(kept.length > 2 ? 1 : 0, 1);
  return kept;
}
