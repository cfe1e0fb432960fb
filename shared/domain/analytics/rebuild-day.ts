/** Compares the rollups of a day with the contributions of the day, and corrects the rollups. */
import type { ClientSession } from 'mongoose';
import { config } from '../../config.ts';
import { inTransaction } from '../../database/connection.ts';
import { readDocuments } from '../../database/raw-documents.ts';
import { AnalyticsContribution } from '../../models/analytics-contribution.ts';
import { currentTimeMs } from '../../time/clock.ts';
import type { Contribution } from './contributions.ts';
import { blockOf, countedSeries, isTotals } from './day-totals.ts';
import { DAY_MS } from './quarter-hours.ts';
import {
  dayPrefix,
  type EncodedColumns,
  mergeColumns,
  readRows,
  RowChanges,
  type RollupRow,
  totalsPrefix,
  writeRows,
} from './row-changes.ts';
import { isSketch } from './sketch-columns.ts';
import { mergeVector, type SparseVector, valueAt } from './sparse-vector.ts';

/** The number of records or contributions compared in a batch, and the number of differences found. */
export interface BatchResult {
  compared: number;
  differences: number;
}

type Rows = Map<string, RollupRow>;

/** A character that sorts after every character of an id. */
const AFTER_IDS = '\uffff';

const sameColumns = (one: EncodedColumns, other: EncodedColumns): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return names.values().every((name) => {
    const [first, second] = [one[name], other[name]];
    return first !== undefined && second !== undefined && Buffer.compare(first, second) === 0;
  });
};

const differingRows = (stored: Rows, expected: Rows): RollupRow[] => {
  const empty = [...stored.values()]
    .filter(({ _id }) => !expected.has(_id))
    .map((row): RollupRow => ({ ...row, columns: {} }));
  const different = [...expected.values()].filter(
    (row) => !sameColumns(stored.get(row._id)?.columns ?? {}, row.columns),
  );
  return [...different, ...empty];
};

/**
 * Returns whether the rows of a series can be compared. Rows of tags cannot, because a rebuild leaves out tags; old
 * rows of custom events cannot, because the contributions of these events have expired.
 */
const isComparable = (series: string, day: number): boolean => {
  const firstDay = (currentTimeMs() - config.EVENT_TTL_SECONDS * 1000) / DAY_MS;
  return !series.startsWith('tags.') && (!series.startsWith('events.') || day > firstDay);
};

const comparable = (rows: Rows, day: number): Rows =>
  new Map([...rows].filter(([, { series }]) => isComparable(countedSeries(series), day)));

/** Reduces rows of totals to the totals of one day, so that they can be compared. Removes rows without values. */
const reduceTotalsToDay = (rows: Rows, index: number): Rows =>
  new Map(
    [...rows]
      .map(([id, row]) => [id, isTotals(row.series) ? { ...row, columns: totalsOf(row.columns, index) } : row] as const)
      .filter(([, { columns }]) => Object.keys(columns).length),
  );

/** Leaves out sketches: those of a block contain all its days, and `rebuildBlock` compares them. */
const withoutSketches = (columns: EncodedColumns): [string, Buffer][] =>
  Object.entries(columns).filter(([name]) => !isSketch(name));

/** Returns the totals of one day of a block; other days are absent. */
const totalsOf = (columns: EncodedColumns, index: number): EncodedColumns =>
  Object.fromEntries(
    withoutSketches(columns).flatMap(([name, bytes]) => {
      const encoded = mergeVector(undefined, new Map([[index, valueAt(bytes, index)]]));
      return encoded ? [[name, encoded]] : [];
    }),
  );

/** Replaces the totals of one day, and keeps those of the other days of the block. */
const replaceDayTotals = (row: RollupRow, stored: EncodedColumns, index: number): RollupRow => {
  const columns = [...withoutSketches(stored), ...withoutSketches(row.columns)];
  const changes = new Map<string, SparseVector>();
  for (const name of new Set(columns.map(([each]) => each))) {
    const [before, after] = [stored[name], row.columns[name]].map((bytes) => (bytes ? valueAt(bytes, index) : 0));
    changes.set(name, new Map([[index, (after ?? 0) - (before ?? 0)]]));
  }
  return { ...row, columns: mergeColumns(stored, changes) };
};

/** Returns the rows that the contributions of a day produce, and the number of contributions. */
const expectedRows = async (
  { id_project, day, subjects }: RebuiltDay,
  session: ClientSession,
): Promise<{ rows: Rows; compared: number }> => {
  let compared = 0;
  const changes = new RowChanges();
  const times = { $gte: new Date(day * DAY_MS), $lt: new Date((day + 1) * DAY_MS) };
  const counted = { id_project, subject: { $in: subjects }, createdAt: times };
  const fields = ['subject', 'facts'];
  for await (const { subject, facts } of readDocuments<Contribution>(AnalyticsContribution, counted, {
    session,
    fields,
  })) {
    changes.add(id_project, { subject, facts });
    compared += 1;
  }
  return { rows: changes.rows(), compared };
};

/** Reads the rows whose ids have a prefix. */
export const readByPrefix = (id_project: string, prefix: string, session: ClientSession): Promise<Rows> =>
  readRows([id_project], { _id: { $gte: prefix, $lt: prefix + AFTER_IDS } }, session);

/** A day to compare, and the subjects whose contributions are compared. */
interface RebuiltDay {
  id_project: string;
  day: number;
  subjects: string[];
}

/**
 * Compares the rows and totals of a day with its contributions, as of one point in time, and replaces the rows and
 * totals that differ. If a worker changes one of them in the meantime, the transaction is retried.
 */
export const rebuildDay = (rebuilt: RebuiltDay, dryRun: boolean): Promise<BatchResult> =>
  inTransaction(async (session) => {
    const { id_project, day } = rebuilt;
    const index = day - blockOf(day);
    const expected = await expectedRows(rebuilt, session);
    const rows = await readByPrefix(id_project, dayPrefix(id_project, day), session);
    const blocks = await readByPrefix(id_project, totalsPrefix(id_project, day), session);
    const stored = reduceTotalsToDay(new Map([...rows, ...blocks]), index);
    const different = differingRows(comparable(stored, day), comparable(reduceTotalsToDay(expected.rows, index), day));
    const replaced = different.map((row) =>
      isTotals(row.series) ? replaceDayTotals(row, blocks.get(row._id)?.columns ?? {}, index) : row,
    );
    if (!dryRun) await writeRows(replaced, new Map([...rows, ...blocks]), session);
    return { compared: expected.compared, differences: different.length };
  });
