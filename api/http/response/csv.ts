/** Writes lists as CSV, with `;` as the separator, a header row and escaped formulas. */
import { stringify } from 'csv-stringify/sync';

/** Media type of the CSV responses. */
export const CSV_MEDIA_TYPE = 'text/csv; charset=utf-8';

const ROWS_PER_PIECE = 200;

const formatCell = (value: object): string => {
  if (Array.isArray(value)) return value.join(', ');
  return Object.getPrototypeOf(value) === Object.prototype ? JSON.stringify(value) : String(value);
};

/** `escape_formulas` puts a `'` before a cell that a spreadsheet would run as a formula. */
const CSV_OPTIONS = {
  delimiter: ';',
  escape_formulas: true,
  cast: { date: (value: Date) => value.toISOString(), boolean: String, object: formatCell },
};

/**
 * Yields the rows as CSV text, ROWS_PER_PIECE at a time, so that a list of any length needs little memory. Writes only
 * the given columns. Dates are written as ISO 8601, arrays joined by `, `, objects as JSON.
 */
export async function* csv<Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<{ [Name in Column]?: unknown }>,
): AsyncGenerator<string> {
  const options = { ...CSV_OPTIONS, columns: columns.map((key) => ({ key })) };
  let text = stringify([columns], CSV_OPTIONS);
  let pending: object[] = [];
  for await (const row of rows) {
    if (pending.push(row) < ROWS_PER_PIECE) continue;
    yield text + stringify(pending, options);
    [text, pending] = ['', []];
  }
  yield text + stringify(pending, options);
}
