/** Joins the pieces of text on a page of a PDF into lines. */
import { joinOverprinted } from './pdf-accents.ts';

/** A piece of text as PDF.js returns it. `transform` contains the position of its baseline. */
export interface PdfTextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
  fontName: string;
  hasEOL: boolean;
}

/** A line of text. Positions are in points from the lower left corner of the page. */
export interface PdfLine {
  text: string;
  x: number;
  y: number;
  /** The right end of the line. */
  end: number;
  /** The most frequent height of its letters. */
  height: number;
  isMonospaced: boolean;
}

/** Pieces are on one line if their baselines differ by less than this fraction of their height. */
const SAME_LINE = 0.5;
/** A gap between two pieces is a space if it is wider than this fraction of their height. */
const SPACE_GAP = 0.15;
/** A piece is printed over the piece before it if they overlap by more than this fraction of the height. */
const OVERPRINT = 0.2;
/** The maximum height and the minimum rise of a superscript, as fractions of the height of the letters that follow. */
const SUPERSCRIPT_HEIGHT = 0.85;
const SUPERSCRIPT_RISE = 0.15;
/** A gap wider than this multiple of the letters' height separates two columns, unless the letters are monospaced. */
const COLUMN_GAP = 4;

/** A piece of text. It has the same fields as a line, because lines are built from pieces. */
type Piece = PdfLine;

const toPiece = ({ str, transform, width, height, fontName }: PdfTextItem, monospaced: Set<string>): Piece => {
  const [a = 0, b = 0, , , x = 0, y = 0] = transform;
  return {
    text: str,
    ...{ x, y, end: x + width },
    height: height || Math.hypot(a, b),
    isMonospaced: monospaced.has(fontName),
  };
};

const isSameLine = (line: Piece[], piece: Piece): boolean => {
  const last = line.at(-1);
  if (!last) return true;
  const height = Math.max(last.height, piece.height);
  const gap = piece.x - last.end;
  return (
    Math.abs(piece.y - last.y) < SAME_LINE * height &&
    gap > -height &&
    (gap < COLUMN_GAP * height || (last.isMonospaced && piece.isMonospaced))
  );
};

/** Whether a piece is the mark of a footnote, and the next piece is a word. */
const isFootnoteMark = (mark: Piece, word: Piece): boolean =>
  mark.height < SUPERSCRIPT_HEIGHT * word.height &&
  mark.y - word.y > SUPERSCRIPT_RISE * word.height &&
  /^\s*(\d{1,3}|[*†‡])$/.test(mark.text) &&
  /^\p{L}{2}/u.test(word.text);

/** Returns the space between two pieces. In monospaced text, gaps between columns keep their width. */
const spaceBetween = (before: Piece, piece: Piece): string => {
  const gap = piece.x - before.end;
  if (isFootnoteMark(before, piece)) return ' ';
  if (gap <= SPACE_GAP * piece.height) return '';
  return piece.isMonospaced ? ' '.repeat(Math.max(1, Math.round(gap / (piece.height * 0.6)))) : ' ';
};

/** Returns the text of a line. */
const joinPieces = (line: Piece[]): string =>
  line.reduce((text, piece, index) => {
    const before = line[index - 1];
    if (!before || !text || /\s$/.test(text) || /^\s/.test(piece.text)) return text + piece.text;
    const isOver = before.end - piece.x > OVERPRINT * piece.height;
    const joined = isOver ? joinOverprinted(text, piece.text) : null;
    return joined ?? text + spaceBetween(before, piece) + piece.text;
  }, '');

/** Returns the most frequent height of the letters of a line. */
const commonHeight = (line: Piece[]): number => {
  const letters = new Map<number, number>();
  for (const { text, height } of line) letters.set(height, (letters.get(height) ?? 0) + text.trim().length);
  return [...letters].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 0;
};

const toLine = (line: Piece[]): PdfLine[] => {
  const text = joinPieces(line).normalize('NFKC').trimEnd();
  const first = line.find((piece) => piece.text.trim());
  if (!first || !text.trim()) return [];
  return [
    {
      text,
      ...{ x: first.x, y: first.y, end: line.at(-1)?.end ?? first.end },
      height: commonHeight(line),
      isMonospaced: line.every((piece) => piece.isMonospaced || !piece.text.trim()),
    },
  ];
};

/** Returns the lines of a page in the order of the file, which is the reading order in nearly all documents. */
export const toLines = (items: PdfTextItem[], monospaced: Set<string>): PdfLine[] => {
  const lines: Piece[][] = [];
  let line: Piece[] = [];
  const flush = () => {
    if (line.length) lines.push(line);
    line = [];
  };
  for (const item of items) {
    if (item.str !== '') {
      const piece = toPiece(item, monospaced);
      if (piece.text.trim() && !isSameLine(line, piece)) flush();
      if (line.length || piece.text.trim()) line.push(piece);
    }
  }
  flush();
  return lines.flatMap(toLine);
};
