/** Collects changes to rollup rows, so that a row that many records change is written once. */
import { createHash } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { readDocuments, writeDocuments } from '../../database/raw-documents.ts';
import { AnalyticsRollup } from '../../models/analytics-rollup.ts';
import { blockOf, isTotals, totalsSeries } from './day-totals.ts';
import { type Addition, additionsOf, type Facts, type Subject } from './series.ts';
import { DAY_SKETCHES, isSketch } from './sketch-columns.ts';
import { mergeVector, type SparseVector } from './sparse-vector.ts';

/** The columns of a row in their stored form. */
export type EncodedColumns = Record<string, Buffer>;

/** A stored row. */
export interface RollupRow {
  _id: string;
  id_project: string;
  series: string;
  value?: string;
  day: number;
  columns: EncodedColumns;
}

type RowKey = Omit<RollupRow, '_id' | 'columns'>;

const HASH_CHARACTERS = 24;
const DAY_DIGITS = 6;

const digits = (day: number): string => String(day).padStart(DAY_DIGITS, '0');

/** Returns the prefix of the row ids of a day. */
export const dayPrefix = (id_project: string, day: number): string => `${id_project}.${digits(day)}.`;
/** Returns the prefix of the ids of the rows that contain the totals of a day. */
export const totalsPrefix = (id_project: string, day: number): string =>
  `${id_project}.totals.${digits(blockOf(day))}.`;

const rowId = ({ id_project, series, value, day }: RowKey): string => {
  const hash = createHash('sha256').update(JSON.stringify([series, value ?? null]));
  const prefix = isTotals(series) ? totalsPrefix(id_project, day) : dayPrefix(id_project, day);
  return prefix + hash.digest('base64url').slice(0, HASH_CHARACTERS);
};

/** Returns the id of the row of totals to which a row of a day is added. */
export const totalsId = ({ series, day, ...row }: RowKey): string =>
  rowId({ ...row, series: totalsSeries(series), day: blockOf(day) });

type Columns = Map<string, SparseVector>;

interface RowChange {
  row: RowKey;
  columns: Columns;
}

const addTo = (vector: SparseVector, index: number, amount: number): void => {
  vector.set(index, (vector.get(index) ?? 0) + amount);
};

const addAll = (vector: SparseVector, changes: SparseVector): void => {
  for (const [index, amount] of changes) addTo(vector, index, amount);
};

const sumOf = (vector: SparseVector): number => vector.values().reduce((sum, amount) => sum + amount, 0);

const vectorOf = (columns: Columns, column: string): SparseVector => {
  const vector = columns.get(column) ?? new Map<number, number>();
  columns.set(column, vector);
  return vector;
};

/** Adds changes to the columns of a row, and returns the result. */
export const mergeColumns = (stored: EncodedColumns, changes: Columns): EncodedColumns => {
  const merged = { ...stored };
  for (const [column, vector] of changes) {
    const encoded = mergeVector(stored[column], vector);
    if (encoded) merged[column] = encoded;
    else delete merged[column];
  }
  return merged;
};

/** The changes to rollup rows that a set of records causes. */
export class RowChanges {
  readonly #changes = new Map<string, RowChange>();
  readonly #ids = new Map<string, string>();

  /** Adds the contribution of a record, or subtracts it if `sign` is -1. */
  add(id_project: string, { subject, facts, sign = 1 }: { subject: Subject; facts: Facts; sign?: 1 | -1 }): void {
    for (const addition of additionsOf(subject, facts)) {
      const columns = this.#columnsOf(id_project, addition);
      for (const [column, index, amount] of addition.sums) addTo(vectorOf(columns, column), index, sign * amount);
    }
  }

  #columnsOf(id_project: string, { series, value, day }: Addition): Columns {
    return this.#changeOf(this.#changes, { id_project, series, ...(value !== undefined && { value }), day }).columns;
  }

  #changeOf(changes: Map<string, RowChange>, row: RowKey): RowChange {
    const id = this.#idOf(row);
    const change = changes.get(id) ?? { row, columns: new Map<string, SparseVector>() };
    changes.set(id, change);
    return change;
  }

  /** Returns the changes to the rows of days, and those to the totals of these days. */
  #withTotals(): [string, RowChange][] {
    const totals = new Map<string, RowChange>();
    for (const { row, columns } of this.#changes.values()) {
      const block = blockOf(row.day);
      const change = this.#changeOf(totals, { ...row, series: totalsSeries(row.series), day: block });
      for (const [column, vector] of columns)
        if (!isSketch(column)) addTo(vectorOf(change.columns, column), row.day - block, sumOf(vector));
        else if (DAY_SKETCHES.includes(column)) addAll(vectorOf(change.columns, column), vector);
    }
    return [...this.#changes, ...totals];
  }

  /** Returns the id of a row. Ids are cached, because many records add to the same row. */
  #idOf(row: RowKey): string {
    const key = `${row.id_project} ${row.day} ${row.series} ${row.value === undefined ? '' : `=${row.value}`}`;
    const id = this.#ids.get(key) ?? rowId(row);
    this.#ids.set(key, id);
    return id;
  }

  /** Returns, by id, the rows that the changes alone produce, as if no rows were stored. */
  rows(): Map<string, RollupRow> {
    const rows = this.#withTotals().map(([_id, { row, columns }]) => ({
      _id,
      ...row,
      columns: mergeColumns({}, columns),
    }));
    return new Map(rows.filter(({ columns }) => Object.keys(columns).length).map((row) => [row._id, row]));
  }

  /** Stores the changes. If two transactions write the same row, one of them is retried. */
  async apply(session: ClientSession): Promise<void> {
    const changed = this.#withTotals().filter(([, { columns }]) =>
      columns.values().some((vector) => vector.values().some((amount) => amount !== 0)),
    );
    if (!changed.length) return;
    const stored = await readRows(
      changed.map(([, { row }]) => row.id_project),
      { _id: { $in: changed.map(([id]) => id) } },
      session,
    );
    await writeRows(
      changed.map(([_id, { row, columns }]) => ({
        _id,
        ...row,
        columns: mergeColumns(stored.get(_id)?.columns ?? {}, columns),
      })),
      stored,
      session,
    );
  }
}

/** Reads the matching rows of these projects, and returns them by id. */
export const readRows = async (
  projects: string[],
  filter: object,
  session: ClientSession,
): Promise<Map<string, RollupRow>> => {
  const scope = { id_project: { $in: [...new Set(projects)] }, ...filter };
  const rows = await readDocuments<RollupRow>(AnalyticsRollup, scope, { session }).toArray();
  return new Map(rows.map((row) => [row._id, row]));
};

/** Stores rows, and deletes those without columns. `stored` are the existing rows, which the transaction has read. */
export const writeRows = (rows: RollupRow[], stored: Map<string, RollupRow>, session: ClientSession): Promise<void> => {
  const writes = rows.map((row) => ({
    ...row,
    document: Object.keys(row.columns).length ? row : null,
    exists: stored.has(row._id),
  }));
  return writeDocuments(AnalyticsRollup, writes, session);
};
