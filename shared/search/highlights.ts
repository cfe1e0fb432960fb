/** What of a text was found, as pieces of plain text: whoever shows them decides how. */
import { z } from 'zod';
import { wordsIn } from './words.ts';

const Piece = z.strictObject({ value: z.string(), type: z.enum(['hit', 'text']) });
type Piece = z.output<typeof Piece>;

/** A text in which something was found: its place in the record, and its pieces in their order. */
export const Highlight = z.strictObject({ path: z.string(), texts: z.array(Piece) });
export type Highlight = z.output<typeof Highlight>;

/** Signs that are shown before the first word that was found, and from there on. */
const BEFORE = 80;
const AFTER = 240;
/** Texts shown of one record. */
const MOST = 5;

const endOf = (text: string, most: number): string => Array.from(text).slice(-most).join('');
const startOf = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

const piecesOf = (text: string, isHit: (word: string) => boolean): Piece[] => {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { at, value, words } of wordsIn(text)) {
    if (!words.some(isHit)) continue;
    if (at > end) pieces.push({ value: text.slice(end, at), type: 'text' });
    pieces.push({ value, type: 'hit' });
    end = at + value.length;
  }
  if (pieces.length && end < text.length) pieces.push({ value: text.slice(end), type: 'text' });
  return pieces;
};

/** So many signs from the first hit on, and some before it. */
const cut = (pieces: Piece[]): Piece[] => {
  let left = AFTER;
  return pieces.flatMap((piece, at) => {
    const before = at === 0 && piece.type === 'text';
    const value = before ? endOf(piece.value, BEFORE) : startOf(piece.value, left);
    if (!before) left -= Array.from(value).length;
    return value ? { ...piece, value } : [];
  });
};

/** The texts of a record in which a word was found, each under its path. */
export const highlights = (
  texts: [path: string, text: string | null | undefined][],
  isHit: (word: string) => boolean,
): Highlight[] =>
  texts
    .map(([path, text]) => ({ path, texts: cut(piecesOf(text ?? '', isHit)) }))
    .filter((highlight) => highlight.texts.length)
    .slice(0, MOST);
