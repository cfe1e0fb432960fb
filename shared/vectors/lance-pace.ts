import type { Part } from './lance-part.ts';

/** Files to read cost a search about as much as this many rows that no index holds. */
const ROWS_PER_COMMIT = 16;
/** Rows searched one by one cost a search 25 ms a thousand; tidying rewrites the table, so a larger one waits for more. */
const LEAST_ROWS = 1_000;
const shareOf = ({ dimension }: Part) => (dimension === null ? 0.02 : 0.1);

/** Tells when a table is worth tidying, by what this process wrote since it last was. */
export class Pace {
  #tables = new Map<string, { written: number; due: number }>();

  /** Counts one commit; true when tidying is due. */
  wrote({ path }: Part, rows: number): boolean {
    const table = this.#tables.get(path) ?? { written: 0, due: LEAST_ROWS };
    table.written += rows + ROWS_PER_COMMIT;
    this.#tables.set(path, table);
    return table.written >= table.due;
  }

  /** Starts to count anew, for a table of so many rows. */
  tidied(part: Part, rows: number): void {
    this.#tables.set(part.path, { written: 0, due: Math.max(LEAST_ROWS, rows * shareOf(part)) });
  }
}
