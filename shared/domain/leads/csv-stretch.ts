/** A stretch of a CSV file → its rows, each with its line. Pure. */
import { type CsvError, type Info, parse } from 'csv-parse/sync';

/** A row, and the line of the stretch that it begins in, from 0. */
interface Row {
  line: number;
  cells: string[];
}

/** What a stretch holds; `torn` are the lines where quotes go wrong. */
export interface Stretch {
  rows: Row[];
  torn: number[];
  /** Bytes and lines that were read: the next stretch begins behind them. */
  bytes: number;
  lines: number;
}

const NEWLINE = 10;
const RETURN = 13;

const OPTIONS = { record_delimiter: ['\r\n', '\n'], relax_column_count: true, skip_empty_lines: true };

const newlinesIn = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
};

/** A quote that may close behind the end of what is read. */
const UNCLOSED = 'CSV_QUOTE_NOT_CLOSED';

/** What can be read before the first quote that goes wrong, and what is wrong with that. */
const readWell = (bytes: Buffer, separator: string): { rows: [cells: string[], end: number][]; fault?: string } => {
  const rows: [string[], number][] = [];
  const keep = (cells: string[], { bytes: end }: Info): null => {
    rows.push([cells, end]);
    return null;
  };
  try {
    parse(bytes, { ...OPTIONS, delimiter: separator, on_record: keep });
    return { rows };
  } catch (error) {
    const { code: fault } = error as Partial<CsvError>;
    if (!fault) throw error;
    return { rows, fault };
  }
};

/** Empty lines before a row are none of its own. */
const beginOf = (bytes: Buffer, from: number): number => {
  let at = from;
  while (bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE)) at += 1;
  return at;
};

/**
 * Read whole lines. Where a quote goes wrong, the line that its row begins in is torn, and the next line is read as if nothing had
 * happened; one that never closes may close further on, unless this stretch is the `last`: then it ends before that row.
 */
export const readStretch = (bytes: Buffer, separator: string, last: boolean): Stretch => {
  const found: Stretch = { rows: [], torn: [], bytes: 0, lines: 0 };
  const moveTo = (end: number): void => {
    found.lines += newlinesIn(bytes.subarray(found.bytes, end));
    found.bytes = end;
  };
  for (;;) {
    const from = found.bytes;
    const { rows, fault } = readWell(bytes.subarray(from), separator);
    for (const [cells, end] of rows) {
      moveTo(beginOf(bytes, found.bytes));
      found.rows.push({ line: found.lines, cells });
      moveTo(from + end);
    }
    if (!fault) moveTo(bytes.length);
    if (!fault || (fault === UNCLOSED && !last)) return found;
    moveTo(beginOf(bytes, found.bytes));
    found.torn.push(found.lines);
    const next = bytes.indexOf(NEWLINE, found.bytes) + 1;
    moveTo(next || bytes.length);
  }
};
