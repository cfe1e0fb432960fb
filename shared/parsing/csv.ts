/** Reads tables in CSV files. */
import { parse } from 'csv-parse/sync';
import { AppError } from '#shared/errors.ts';
import type { Block } from './blocks.ts';

/** Further rows are ignored. */
const MAX_ROWS = 50_000;
const DELIMITERS = [',', ';', '\t', '|'];

/** Returns the delimiter that occurs most often in the first line. */
const findDelimiter = (text: string): string => {
  const [line = ''] = text.split('\n', 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0] ?? ',';
};

/** Parses rows of CSV. Blank rows are skipped. Throws `BAD_CSV` with the position of the error. */
export const parseRows = (text: string, delimiter: string): string[][] => {
  try {
    return parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: MAX_ROWS,
    });
  } catch (error) {
    throw new AppError(422, 'BAD_CSV', `The file is not valid CSV: ${(error as Error).message}`);
  }
};

/** Converts each row to a block of text with a line per column. The first row contains the names of the columns. */
export const readCsv = (text: string): Block[] => {
  const [head = [], ...rows] = parseRows(text, findDelimiter(text.replace(/^\uFEFF/, '')));
  const toText = (row: string[]) =>
    row.flatMap((value, column) => (value ? [head[column] ? `${head[column]}: ${value}` : value] : [])).join('\n');
  const texts = rows.length ? rows.map(toText) : [head.join('\n')];
  return texts.filter(Boolean).map((line) => ({ kind: 'text', text: line }));
};
