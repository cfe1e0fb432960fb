/** Indexing, compaction and probing of LanceDB tables, and the schedule of compaction. */
import type { Table } from '@lancedb/lancedb';
import { loadLibraries, type TableLocation } from './lance-table-location.ts';

/** How long old versions of a table are kept for readers in other processes, which may still be using them. */
const VERSION_RETENTION_MS = 5 * 60_000;
const MAX_INDEX_SEGMENTS = 8;
const ROWS_PER_DELETE = 1_000;

const hasIndex = async (table: Table) => (await table.listIndices()).length > 0;

/**
 * Creates the full-text index if it is missing. The new index is empty: LanceDB scans the rows that an index does not
 * contain, and `optimize` adds them. Word positions are not stored, because they break `optimize`. The ICU tokenizer
 * finds the words of scripts without spaces. Stop words are kept, because an English stop word may be an ordinary word
 * of another language.
 */
export async function ensureTextIndex(
  table: Table,
  withLock: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (await hasIndex(table)) return;
  const { lance } = await loadLibraries();
  const indexConfig = () =>
    lance.Index.fts({
      withPosition: false,
      baseTokenizer: 'icu/split',
      lowercase: true,
      asciiFolding: true,
      stem: true,
      removeStopWords: false,
    });
  await withLock(async () => {
    await table.checkoutLatest();
    if (!(await hasIndex(table))) await table.createIndex('text', { config: indexConfig() });
  });
}

/**
 * Creates the vector index once the table has enough rows, and again when the index has too many segments: each
 * `optimize` adds one, and each search queries all of them.
 */
async function ensureVectorIndex(table: Table, minRows: number): Promise<void> {
  if ((await table.countRows()) < minRows) return;
  const [index] = await table.listIndices();
  if (index && (index.numSegments ?? 1) <= MAX_INDEX_SEGMENTS) return;
  const { lance } = await loadLibraries();
  await table.createIndex('vector', { config: lance.Index.hnswSq({ distanceType: 'cosine', efConstruction: 150 }) });
}

/** Merges small files, updates the indexes and deletes old versions. Call it while holding the table's lock. */
export async function optimizeTable(
  table: Table,
  { dimension }: TableLocation,
  minRowsForIndex: number,
): Promise<void> {
  if (dimension !== null) await ensureVectorIndex(table, minRowsForIndex);
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - VERSION_RETENTION_MS) });
}

/** Removes all but the newest row for each id. Call it while holding the table's lock: compaction changes row ids. */
export async function removeRepeatedRows(table: Table): Promise<void> {
  const newest = new Map<string, bigint>();
  const repeatedRows: bigint[] = [];
  for await (const batch of table.query().select(['id']).withRowId()) {
    for (const { id, _rowid } of batch) {
      const earlier = newest.get(id);
      if (earlier !== undefined) repeatedRows.push(earlier < _rowid ? earlier : _rowid);
      if (earlier === undefined || earlier < _rowid) newest.set(id, _rowid);
    }
  }
  for (let start = 0; start < repeatedRows.length; start += ROWS_PER_DELETE) {
    await table.delete(`_rowid IN (${repeatedRows.slice(start, start + ROWS_PER_DELETE).join(',')})`);
  }
}

/** Reads all rows and queries the index; throws if the table is unusable. */
export async function probeTable(table: Table, { dimension }: TableLocation): Promise<void> {
  for await (const _batch of table.query().select(['id'])) continue;
  if (dimension !== null) {
    await table.query().nearestTo(new Float32Array(dimension).fill(1)).distanceType('cosine').limit(1).toArray();
    return;
  }
  const { lance } = await loadLibraries();
  await table.query().fullTextSearch(new lance.MatchQuery('probe', 'text')).limit(1).toArray();
}

/** The cost of a commit: its file slows a search down about as much as this number of unindexed rows. */
const COMMIT_COST_ROWS = 16;
/**
 * A table is compacted when it has this number of unindexed rows, which add 25 ms to a search. Compaction rewrites the
 * table, so the limit for a large table is a share of its rows.
 */
const MIN_UNINDEXED_ROWS = 1_000;
const maxUnindexedShare = ({ dimension }: TableLocation) => (dimension === null ? 0.02 : 0.1);

/** Decides when a table is due for compaction, based on what this process has written since the last compaction. */
export class CompactionSchedule {
  #tables = new Map<string, { written: number; dueAt: number }>();

  /** Counts one commit; returns true if compaction is due. */
  countWrite({ path }: TableLocation, rowCount: number): boolean {
    const table = this.#tables.get(path) ?? { written: 0, dueAt: MIN_UNINDEXED_ROWS };
    table.written += rowCount + COMMIT_COST_ROWS;
    this.#tables.set(path, table);
    return table.written >= table.dueAt;
  }

  /** Restarts the count for a table that now has `rows` rows. */
  markCompacted(location: TableLocation, rows: number): void {
    this.#tables.set(location.path, {
      written: 0,
      dueAt: Math.max(MIN_UNINDEXED_ROWS, rows * maxUnindexedShare(location)),
    });
  }
}
