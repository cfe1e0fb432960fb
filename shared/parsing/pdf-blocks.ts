/** Converts the lines of a PDF to headings, paragraphs and code. */
import type { Block } from './blocks.ts';
import type { PdfLine } from './pdf-lines.ts';

/** A line is a heading if its letters are at least this many times as tall as those of the body text. */
const HEADING_FACTOR = 1.15;
const MAX_HEADING_CHARACTERS = 200;
/** A line begins a paragraph if the distance to the baseline above exceeds this multiple of the letters' height. */
const PARAGRAPH_DISTANCE = 1.75;
/**
 * A line shorter than this share of the column's width ends a paragraph, if it ends a sentence and the next line begins
 * one.
 */
const SHORT_LINE = 0.8;
/** The number of lines at the top and at the bottom of a page that may belong to a header or footer. */
const MARGIN_LINES = 2;
/** A margin line is removed if it occurs on at least this many pages, and on at least this share of the pages. */
const MIN_REPETITIONS = 3;
const MIN_REPETITION_SHARE = 0.3;

const LIST_ITEM = /^\s*([•◦▪‣∙·●○–]|-|\*|\(?(\d{1,2}|[a-z])[.)])\s+\S/;

const roundedHeight = ({ height }: PdfLine): number => Math.round(height * 2) / 2;

/** Returns a key that is the same for margin lines of the same height that differ only in numbers. */
const marginKey = (line: PdfLine): string =>
  `${roundedHeight(line)} ${line.text.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim()}`;

const marginLines = (page: PdfLine[]): Set<PdfLine> => {
  const byHeight = page.toSorted((one, other) => other.y - one.y);
  return new Set([...byHeight.slice(0, MARGIN_LINES), ...byHeight.slice(-MARGIN_LINES)]);
};

/** Removes page numbers, and headers and footers that are repeated on many pages. */
const withoutMargins = (pages: PdfLine[][]): PdfLine[][] => {
  const counts = new Map<string, number>();
  const margins = pages.map(marginLines);
  for (const lines of margins)
    for (const key of new Set([...lines].map(marginKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const minCount = Math.max(MIN_REPETITIONS, pages.length * MIN_REPETITION_SHARE);
  return pages.map((page, index) =>
    page.filter((line) => !margins[index]?.has(line) || (counts.get(marginKey(line)) ?? 0) < minCount),
  );
};

/** Returns the most frequent height of letters in the document. */
const bodyHeight = (lines: PdfLine[]): number => {
  const letters = new Map<number, number>();
  for (const line of lines)
    letters.set(roundedHeight(line), (letters.get(roundedHeight(line)) ?? 0) + line.text.length);
  return [...letters].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? 0;
};

/** Returns the heading level for each height of letters that makes a line a heading; the tallest have level 1. */
const headingLevels = (lines: PdfLine[], body: number): Map<number, number> => {
  const heights = [...new Set(lines.map(roundedHeight))].filter((height) => height >= body * HEADING_FACTOR);
  return new Map(
    heights.toSorted((one, other) => other - one).map((height, index) => [height, Math.min(index + 1, 6)]),
  );
};

type LineKind = 'heading' | 'code' | 'text';

/** Joins lines into one text. A word that is hyphenated at the end of a line is joined. */
const joinLines = (lines: PdfLine[]): string =>
  lines
    .map(({ text }) => text.trim())
    .reduce((joined, line) =>
      /\p{L}[-\u2010\u00ad]$/u.test(joined) && /^\p{Ll}/u.test(line) ? joined.slice(0, -1) + line : `${joined} ${line}`,
    )
    .replace(/\s+/g, ' ');

const startsParagraph = (before: PdfLine, line: PdfLine, width: number): boolean => {
  const distance = before.y - line.y;
  const isNewPage = distance < -line.height;
  if (isNewPage) return /[.:!?]["')\]]?$/.test(before.text) || LIST_ITEM.test(line.text);
  if (distance > PARAGRAPH_DISTANCE * Math.max(before.height, line.height)) return true;
  if (LIST_ITEM.test(line.text)) return true;
  const endsEarly = before.end - before.x < width * SHORT_LINE;
  return endsEarly && /[.:!?]["')\]]?$/.test(before.text) && /^\s*[\p{Lu}\p{N}"'(]/u.test(line.text);
};

/** Groups consecutive lines of the same kind into blocks; the lines of a heading also have the same height. */
class BlockBuilder {
  readonly blocks: Block[] = [];
  readonly #levels: Map<number, number>;
  readonly #width: number;
  #kind: LineKind = 'text';
  #lines: PdfLine[] = [];

  constructor(levels: Map<number, number>, width: number) {
    this.#levels = levels;
    this.#width = width;
  }

  add(line: PdfLine): void {
    const kind = this.#kindOf(line);
    const before = this.#lines.at(-1);
    if (before && (kind !== this.#kind || this.#isSeparate(before, line))) this.flush();
    this.#kind = kind;
    this.#lines.push(line);
  }

  flush(): void {
    const [first] = this.#lines;
    if (!first) return;
    const text = this.#kind === 'code' ? this.#code() : joinLines(this.#lines);
    if (this.#kind === 'heading' && text.length <= MAX_HEADING_CHARACTERS)
      this.blocks.push({ kind: 'heading', level: this.#levels.get(roundedHeight(first)) ?? 1, text });
    else if (this.#kind === 'code') this.blocks.push({ kind: 'code', text, language: '' });
    else this.blocks.push({ kind: 'text', text });
    this.#lines = [];
  }

  #code(): string {
    const left = Math.min(...this.#lines.map(({ x }) => x));
    return this.#lines
      .map(({ text, x, height }) => ' '.repeat(Math.round((x - left) / (height * 0.6 || 1))) + text.trimStart())
      .join('\n');
  }

  #kindOf(line: PdfLine): LineKind {
    if (this.#levels.has(roundedHeight(line)) && /[\p{L}\p{N}]/u.test(line.text)) return 'heading';
    return line.isMonospaced ? 'code' : 'text';
  }

  #isSeparate(before: PdfLine, line: PdfLine): boolean {
    if (this.#kind === 'code') return false;
    if (this.#kind === 'heading')
      return roundedHeight(before) !== roundedHeight(line) || Math.abs(before.y - line.y) > 2 * line.height;
    return startsParagraph(before, line, this.#width);
  }
}

/** Returns the width of a column of text: the 90th percentile of the line widths. */
const columnWidth = (lines: PdfLine[]): number => {
  const widths = lines.map(({ x, end }) => end - x).toSorted((one, other) => one - other);
  return widths[Math.floor(widths.length * 0.9)] ?? 0;
};

/** Returns the blocks of the pages of a document. */
export const pdfBlocks = (pages: PdfLine[][]): Block[] => {
  const lines = withoutMargins(pages).flat();
  const builder = new BlockBuilder(headingLevels(lines, bodyHeight(lines)), columnWidth(lines));
  for (const line of lines) builder.add(line);
  builder.flush();
  return builder.blocks;
};
