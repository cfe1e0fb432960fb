/** Parses a chunk of a CSV file into rows with line numbers. */
import { type CsvError, type Info, parse } from 'csv-parse/sync';

/** The cells of a row, and the line of the chunk on which the row begins, counted from 0. */
interface CsvRow {
  line: number;
  cells: string[];
}

/** A parsed chunk. `brokenLines` lists the lines with invalid quotes, also counted from 0. */
export interface CsvChunk {
  rows: CsvRow[];
  brokenLines: number[];
  /** Bytes and lines consumed; the next chunk begins after them. */
  bytes: number;
  lines: number;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

const CSV_OPTIONS = { record_delimiter: ['\r\n', '\n'], relax_column_count: true, skip_empty_lines: true };

const newlinesIn = (bytes: Buffer): number => {
  let count = 0;
  for (let index = bytes.indexOf(NEWLINE); index >= 0; index = bytes.indexOf(NEWLINE, index + 1)) count += 1;
  return count;
};

/** Error code of csv-parse for an open quote, which may be closed in the next chunk. */
const UNCLOSED_QUOTE = 'CSV_QUOTE_NOT_CLOSED';

/** Returns at most `maxRows` rows before the first invalid quote, and the error code for that quote. */
const readUntilFault = (
  bytes: Buffer,
  separator: string,
  maxRows?: number,
): { rows: [cells: string[], end: number][]; fault?: string } => {
  const rows: [string[], number][] = [];
  const collectRow = (cells: string[], { bytes: end }: Info): null => {
    rows.push([cells, end]);
    return null;
  };
  try {
    parse(bytes, { ...CSV_OPTIONS, delimiter: separator, to: maxRows, on_record: collectRow });
    return { rows };
  } catch (error) {
    const { code: fault } = error as Partial<CsvError>;
    if (!fault) throw error;
    return { rows, fault };
  }
};

/** Returns the cells of the first row; undefined if there is none or a quote in it is invalid. */
export const readFirstRow = (bytes: Buffer, separator: string): string[] | undefined =>
  readUntilFault(bytes, separator, 1).rows[0]?.[0];

const QUOTE = Buffer.from('"');

/**
 * Parses whole lines that follow an open quote, up to the end of its row. `open`: the row has not ended, a quote is
 * still open. `ended`: the row has ended. `broken`: the row has an invalid quote.
 */
export const readOpenRow = (bytes: Buffer, separator: string): 'open' | 'ended' | 'broken' => {
  const { rows, fault } = readUntilFault(Buffer.concat([QUOTE, bytes]), separator, 1);
  if (rows.length) return 'ended';
  return fault === UNCLOSED_QUOTE ? 'open' : 'broken';
};

/** Returns the position after empty lines, which are not part of the following row. */
const skipEmptyLines = (bytes: Buffer, from: number): number => {
  let index = from;
  while (bytes[index] === NEWLINE || (bytes[index] === CARRIAGE_RETURN && bytes[index + 1] === NEWLINE)) index += 1;
  return index;
};

/** Returns the bytes up to the end of the first line that is not empty. */
export const firstLine = (bytes: Buffer): Buffer =>
  bytes.subarray(0, bytes.indexOf(NEWLINE, skipEmptyLines(bytes, 0)) + 1 || bytes.length);

/**
 * Parses whole lines. If a row has an invalid quote, the first line of the row is reported in `brokenLines`, and
 * parsing resumes at the next line. If a quote is still open at the end of the chunk, the chunk ends before that row;
 * in the last chunk, such a quote is invalid.
 */
export const readChunk = (bytes: Buffer, separator: string, isLastChunk: boolean): CsvChunk => {
  const chunk: CsvChunk = { rows: [], brokenLines: [], bytes: 0, lines: 0 };
  const moveTo = (end: number): void => {
    chunk.lines += newlinesIn(bytes.subarray(chunk.bytes, end));
    chunk.bytes = end;
  };
  for (;;) {
    const from = chunk.bytes;
    const { rows, fault } = readUntilFault(bytes.subarray(from), separator);
    for (const [cells, end] of rows) {
      moveTo(skipEmptyLines(bytes, chunk.bytes));
      chunk.rows.push({ line: chunk.lines, cells });
      moveTo(from + end);
    }
    if (!fault) moveTo(bytes.length);
    if (!fault || (fault === UNCLOSED_QUOTE && !isLastChunk)) return chunk;
    moveTo(skipEmptyLines(bytes, chunk.bytes));
    chunk.brokenLines.push(chunk.lines);
    const next = bytes.indexOf(NEWLINE, chunk.bytes) + 1;
    moveTo(next || bytes.length);
  }
};
