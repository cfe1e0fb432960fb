/** Highlights search hits. A highlight consists of pieces of plain text, which the client renders. */
import { z } from 'zod';
import { segmentWords } from './words.ts';

const HighlightPiece = z.strictObject({ value: z.string(), type: z.enum(['hit', 'text']) });
type HighlightPiece = z.output<typeof HighlightPiece>;

/** A text with a hit: its path in the record, and its pieces in order. */
export const Highlight = z.strictObject({ path: z.string(), texts: z.array(HighlightPiece) });
export type Highlight = z.output<typeof Highlight>;

/** Maximum number of characters shown before the first hit, and from the first hit on. */
const CHARACTERS_BEFORE_HIT = 80;
const CHARACTERS_FROM_HIT = 240;
/** Maximum number of texts shown per record. */
const MAX_HIGHLIGHTS = 5;

const lastCharacters = (text: string, limit: number): string => Array.from(text).slice(-limit).join('');
const firstCharacters = (text: string, limit: number): string => Array.from(text).slice(0, limit).join('');

const splitByHits = (text: string, isHit: (word: string) => boolean): HighlightPiece[] => {
  const pieces: HighlightPiece[] = [];
  let end = 0;
  for (const { start, value, words } of segmentWords(text)) {
    if (!words.some(isHit)) continue;
    if (start > end) pieces.push({ value: text.slice(end, start), type: 'text' });
    pieces.push({ value, type: 'hit' });
    end = start + value.length;
  }
  if (pieces.length && end < text.length) pieces.push({ value: text.slice(end), type: 'text' });
  return pieces;
};

/** Trims the pieces to a window around the first hit. */
const trimPieces = (pieces: HighlightPiece[]): HighlightPiece[] => {
  let remaining = CHARACTERS_FROM_HIT;
  return pieces.flatMap((piece, index) => {
    const isBeforeHit = index === 0 && piece.type === 'text';
    const value = isBeforeHit
      ? lastCharacters(piece.value, CHARACTERS_BEFORE_HIT)
      : firstCharacters(piece.value, remaining);
    if (!isBeforeHit) remaining -= Array.from(value).length;
    return value ? { ...piece, value } : [];
  });
};

/** Returns the highlights of the texts that contain a hit, each with its path in the record. */
export const highlightTexts = (
  texts: [path: string, text: string | null | undefined][],
  isHit: (word: string) => boolean,
): Highlight[] =>
  texts
    .map(([path, text]) => ({ path, texts: trimPieces(splitByHits(text ?? '', isHit)) }))
    .filter((highlight) => highlight.texts.length)
    .slice(0, MAX_HIGHLIGHTS);
