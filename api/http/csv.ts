/** Lists as CSV: `;` between fields, a header row, and nothing that a spreadsheet would run as a formula. */
import { stringify } from 'csv-stringify/sync';

/** Its media type. */
export const CSV = 'text/csv; charset=utf-8';

const AT_ONCE = 200;

const written = (value: object): string => {
  if (Array.isArray(value)) return value.join(', ');
  return Object.getPrototypeOf(value) === Object.prototype ? JSON.stringify(value) : String(value);
};

/** A text that begins like a formula gets a `'` before it. */
const OPTIONS = {
  delimiter: ';',
  escape_formulas: true,
  cast: { date: (value: Date) => value.toISOString(), boolean: String, object: written },
};

/**
 * The rows as CSV text, some at a time and no faster than they are taken: a list of any length needs the memory of a few. Of a row only
 * the columns are written; times in ISO 8601, lists with a comma and a space between, objects as JSON.
 */
export async function* csv<C extends string>(
  columns: readonly C[],
  rows: AsyncIterable<{ [K in C]?: unknown }>,
): AsyncGenerator<string> {
  const options = { ...OPTIONS, columns: columns.map((key) => ({ key })) };
  let text = stringify([columns], OPTIONS);
  let waiting: object[] = [];
  for await (const row of rows) {
    if (waiting.push(row) < AT_ONCE) continue;
    yield text + stringify(waiting, options);
    [text, waiting] = ['', []];
  }
  yield text + stringify(waiting, options);
}
