import type { Table } from '@lancedb/lancedb';
import { libraries, type Part } from './lance-part.ts';

/** Readers of another process may be in the middle of a version this old (ms). */
const KEEP_VERSIONS = 5 * 60_000;
const PIECES = 8;
const REPEATS_AT_ONCE = 1_000;

const hasIndex = async (table: Table) => (await table.listIndices()).length > 0;

/**
 * Makes the full-text index where it is missing, still empty: rows it does not hold yet are searched one by one, `optimise`
 * adds them. Without positions, which break `optimize`; ICU splits scripts that write no spaces. Stop words stay: English
 * ones are words of other languages, and retrieval asks for none.
 */
export async function ensureTextIndex(
  table: Table,
  alone: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (await hasIndex(table)) return;
  const { lance } = await libraries();
  const config = () =>
    lance.Index.fts({
      withPosition: false,
      baseTokenizer: 'icu/split',
      lowercase: true,
      asciiFolding: true,
      stem: true,
      removeStopWords: false,
    });
  await alone(async () => {
    await table.checkoutLatest();
    if (!(await hasIndex(table))) await table.createIndex('text', { config: config() });
  });
}

/** Made once there are many rows, and again when it is in many pieces: each `optimize` adds one, each search asks them all. */
async function ensureVectorIndex(table: Table, from: number): Promise<void> {
  if ((await table.countRows()) < from) return;
  const [index] = await table.listIndices();
  if (index && (index.numSegments ?? 1) <= PIECES) return;
  const { lance } = await libraries();
  await table.createIndex('vector', { config: lance.Index.hnswSq({ distanceType: 'cosine', efConstruction: 150 }) });
}

/** Joins small files, brings the indexes up to date, forgets old versions. Only alone in the lane. */
export async function optimise(table: Table, { dimension }: Part, indexedFrom: number): Promise<void> {
  if (dimension !== null) await ensureVectorIndex(table, indexedFrom);
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS) });
}

/** Removes all but the newest row of each id. Only alone in the lane: joining files changes row ids. */
export async function removeRepeats(table: Table): Promise<void> {
  const newest = new Map<string, bigint>();
  const repeats: bigint[] = [];
  for await (const batch of table.query().select(['id']).withRowId()) {
    for (const { id, _rowid } of batch) {
      const earlier = newest.get(id);
      if (earlier !== undefined) repeats.push(earlier < _rowid ? earlier : _rowid);
      if (earlier === undefined || earlier < _rowid) newest.set(id, _rowid);
    }
  }
  for (let at = 0; at < repeats.length; at += REPEATS_AT_ONCE) {
    await table.delete(`_rowid IN (${repeats.slice(at, at + REPEATS_AT_ONCE).join(',')})`);
  }
}

/** Reads through the rows and the index; throws where the table cannot serve. */
export async function probe(table: Table, { dimension }: Part): Promise<void> {
  for await (const _batch of table.query().select(['id'])) continue;
  if (dimension !== null) {
    await table.query().nearestTo(new Float32Array(dimension).fill(1)).distanceType('cosine').limit(1).toArray();
    return;
  }
  const { lance } = await libraries();
  await table.query().fullTextSearch(new lance.MatchQuery('probe', 'text')).limit(1).toArray();
}
