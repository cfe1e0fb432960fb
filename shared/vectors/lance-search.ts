/** Full-text and vector search in a LanceDB table, and the list of its rows. */
import type { Table } from '@lancedb/lancedb';
import type { ChunkHit, IndexEntry, IndexQuery } from './chunk-index.ts';
import { loadLibraries } from './lance-table-location.ts';

/** Minimum number of HNSW candidates: with the library's default, a search misses one neighbour in five. */
const MIN_SEARCH_CANDIDATES = 64;
const REFINE_FACTOR = 2;

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

/** LanceDB's filters have no parameters; `validate.ts` has checked the ids. */
const contentFilter = (contents: string[]) => `content IN (${contents.map((id) => `'${id}'`).join(',')})`;

/** Searches by full text. The text is data, not a query language; a row matches if it contains any of the words. */
export async function searchText(table: Table, text: string, { limit, contents }: IndexQuery): Promise<ChunkHit[]> {
  const { lance } = await loadLibraries();
  return fetchDistinct(limit, async (rowLimit) => {
    const query = table.query().fullTextSearch(new lance.MatchQuery(text, 'text'));
    if (contents) query.where(contentFilter(contents));
    const rows = await query.select(['id', 'content', 'attemptId', '_score']).limit(rowLimit).toArray();
    return rows.map(({ id, content, attemptId, _score }) => ({ id, content, attemptId, score: _score }));
  });
}

/** Searches by cosine similarity. */
export async function searchVector(
  table: Table,
  vector: Float32Array,
  { limit, contents }: IndexQuery,
): Promise<ChunkHit[]> {
  return fetchDistinct(limit, async (rowLimit) => {
    const query = table.query().nearestTo(vector).distanceType('cosine');
    query.ef(Math.max(MIN_SEARCH_CANDIDATES, rowLimit * 2)).refineFactor(REFINE_FACTOR);
    if (contents) query.where(contentFilter(contents));
    const rows = await query.select(['id', 'content', 'attemptId', '_distance']).limit(rowLimit).toArray();
    return rows.map(({ id, content, attemptId, _distance }) => ({ id, content, attemptId, score: 1 - _distance }));
  });
}

/** Returns all rows of a table. */
export async function readEntries(table: Table): Promise<IndexEntry[]> {
  const entries: IndexEntry[] = [];
  for await (const batch of table.query().select(['id', 'attemptId']))
    for (const { id, attemptId } of batch) entries.push({ id, attemptId });
  return entries;
}
