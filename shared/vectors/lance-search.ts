/** Full-text and vector search in a LanceDB table, and the list of its rows. */
import type { Table } from '@lancedb/lancedb';
import type { RecordBatch, Utf8, Vector } from 'apache-arrow';
import type { ChunkHit, IndexEntry, IndexQuery } from './chunk-index.ts';
import { hitsOfVersion } from './lance-hit-cache.ts';
import { loadLibraries } from './lance-table-location.ts';

/** Minimum number of HNSW candidates: with the library's default, a search misses one neighbour in five. */
const MIN_SEARCH_CANDIDATES = 64;
/**
 * The number of candidates per hit, whose exact similarities are compared. With 4, the index misses 0.5 % of the best
 * hundred hits; with 2, it misses 2 %.
 */
const CANDIDATES_PER_HIT = 4;

type FetchHits = (rowLimit: number) => Promise<ChunkHit[]>;

/** Returns the best row of each id, best first. Drops NaN scores, which zero vectors cause. */
function dropRepeats(hits: ChunkHit[]): ChunkHit[] {
  const seen = new Set<string>();
  const valid = hits.filter(({ score }) => !Number.isNaN(score)).toSorted((a, b) => b.score - a.score);
  return valid.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Fetches more rows until `limit` distinct ids are found or no rows are left, because rows may be duplicated. */
async function fetchDistinct(limit: number, fetch: FetchHits): Promise<ChunkHit[]> {
  for (let rowLimit = limit + 8; ; rowLimit *= 4) {
    const rows = await fetch(rowLimit);
    const hits = dropRepeats(rows);
    if (hits.length >= limit || rows.length < rowLimit) return hits.slice(0, limit);
  }
}

/**
 * Returns the values of a text column, which must be ASCII. The bytes of all rows are decoded at once, because Arrow's
 * own decoding of each value takes several times as long.
 */
const readAscii = (batch: RecordBatch, column: string): string[] =>
  (batch.getChild(column) as Vector<Utf8>).data.flatMap(({ values, valueOffsets, length }) => {
    const text = Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('latin1');
    return Array.from({ length }, (_, row) => text.slice(valueOffsets[row], valueOffsets[row + 1]));
  });

/** Reads hits column by column, because the row objects of Arrow are slow. */
async function readHits(
  batches: AsyncIterable<RecordBatch>,
  { column, toScore }: { column: string; toScore: (value: number) => number },
): Promise<ChunkHit[]> {
  const hits: ChunkHit[] = [];
  for await (const batch of batches) {
    const [ids, contents, attemptIds] = ['id', 'content', 'attemptId'].map((name) => readAscii(batch, name)) as [
      string[],
      string[],
      string[],
    ];
    const values = batch.getChild(column);
    ids.forEach((id, row) => {
      const [content, attemptId] = [contents[row] as string, attemptIds[row] as string];
      hits.push({ id, content, attemptId, score: toScore(values?.get(row)) });
    });
  }
  return hits;
}

/** LanceDB's filters have no parameters; `validate.ts` has checked the ids. */
const contentFilter = (contents: string[]) => `content IN (${contents.map((id) => `'${id}'`).join(',')})`;

async function queryText(table: Table, text: string, { limit, contents }: IndexQuery): Promise<ChunkHit[]> {
  const { lance } = await loadLibraries();
  return fetchDistinct(limit, async (rowLimit) => {
    const query = table.query().fullTextSearch(new lance.MatchQuery(text, 'text'));
    if (contents) query.where(contentFilter(contents));
    const found = query.select(['id', 'content', 'attemptId', '_score']).limit(rowLimit);
    return readHits(found, { column: '_score', toScore: (score) => score });
  });
}

/** Searches by full text. The text is data, not a query language; a row matches if it contains any of the words. */
export const searchText = (
  { table, version }: { table: Table; version: number },
  text: string,
  query: IndexQuery,
): Promise<ChunkHit[]> =>
  query.contents
    ? queryText(table, text, query)
    : hitsOfVersion({ table, version }, `${query.limit}/${text}`, () => queryText(table, text, query));

/** Searches by cosine similarity. */
export async function searchVector(
  table: Table,
  vector: Float32Array,
  { limit, contents }: IndexQuery,
): Promise<ChunkHit[]> {
  return fetchDistinct(limit, async (rowLimit) => {
    const query = table.query().nearestTo(vector).distanceType('cosine');
    query.ef(Math.max(MIN_SEARCH_CANDIDATES, rowLimit * CANDIDATES_PER_HIT)).refineFactor(CANDIDATES_PER_HIT);
    if (contents) query.where(contentFilter(contents));
    const found = query.select(['id', 'content', 'attemptId', '_distance']).limit(rowLimit);
    return readHits(found, { column: '_distance', toScore: (distance) => 1 - distance });
  });
}

/** Returns all rows of a table. */
export async function readEntries(table: Table): Promise<IndexEntry[]> {
  const entries: IndexEntry[] = [];
  for await (const batch of table.query().select(['id', 'attemptId']))
    for (const { id, attemptId } of batch) entries.push({ id, attemptId });
  return entries;
}
