/**
 * Compares the sketches of a block of days with the sums of the sketches of its days, and corrects the sketches of the
 * block.
 */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { readDocuments } from '../../database/raw-documents.ts';
import { AnalyticsRollup } from '../../models/analytics-rollup.ts';
import { DAYS_PER_BLOCK } from './day-totals.ts';
import { type BatchResult, readByPrefix } from './rebuild-day.ts';
import { dayPrefix, type EncodedColumns, type RollupRow, totalsId, totalsPrefix, writeRows } from './row-changes.ts';
import { MAX_BINS } from './sketch.ts';
import { DAY_SKETCHES } from './sketch-columns.ts';
import { addVector, mergeVector } from './sparse-vector.ts';

/** Returns the sketches of the days of a block, by the id of the block's row that contains their sums. */
const readDaySketches = async (
  id_project: string,
  block: number,
  session: ClientSession,
): Promise<Map<string, EncodedColumns[]>> => {
  const ids = { $gte: dayPrefix(id_project, block), $lt: dayPrefix(id_project, block + DAYS_PER_BLOCK) };
  const fields = ['series', 'value', 'day', ...DAY_SKETCHES.map((name) => `columns.${name}`)];
  const byBlock = new Map<string, EncodedColumns[]>();
  for await (const row of readDocuments<RollupRow>(AnalyticsRollup, { id_project, _id: ids }, { session, fields })) {
    if (!Object.keys(row.columns ?? {}).length) continue;
    const id = totalsId({ ...row, id_project });
    byBlock.set(id, [...(byBlock.get(id) ?? []), row.columns]);
  }
  return byBlock;
};

const sumSketches = (days: EncodedColumns[], name: string): Buffer | null => {
  const sums = new Int32Array(MAX_BINS);
  for (const { [name]: bytes } of days) if (bytes) addVector(bytes, sums);
  return mergeVector(undefined, new Map(sums.entries().filter(([, count]) => count !== 0)));
};

/** Returns a block row's columns with recomputed sketch sums; null if nothing changes. */
const correctedColumns = ({ columns }: RollupRow, days: EncodedColumns[]): EncodedColumns | null => {
  const result = { ...columns };
  let isSame = true;
  for (const name of DAY_SKETCHES) {
    const [stored, expected] = [columns[name], sumSketches(days, name)];
    if (expected ? stored && Buffer.compare(stored, expected) === 0 : !stored) continue;
    isSame = false;
    delete result[name];
    if (expected) result[name] = expected;
  }
  return isSame ? null : result;
};

/**
 * Within one transaction, compares the sketches of a block with those of its days, and replaces the block's sketches
 * that differ, unless `dryRun` is true.
 */
export const rebuildBlock = (id_project: string, block: number, dryRun: boolean): Promise<BatchResult> =>
  inTransaction(async (session) => {
    const days = await readDaySketches(id_project, block, session);
    const stored = await readByPrefix(id_project, totalsPrefix(id_project, block), session);
    const different = [...stored.values()].flatMap((row) => {
      const columns = correctedColumns(row, days.get(row._id) ?? []);
      return columns ? [{ ...row, columns }] : [];
    });
    if (!dryRun) await writeRows(different, stored, session);
    return { compared: 0, differences: different.length };
  });
