/** Full-text and vector search in a LanceDB table, and the list of its rows. */
import type { Table } from '@lancedb/lancedb';
import type { RecordBatch, Utf8, Vector } from 'apache-arrow';
import {
  type ChunkHit,
  type IndexEntry,
  type IndexQuery,
  toWordMatches,
  type WordMatches,
  type WordQuery,
} from './chunk-index.ts';
import { resultOfVersion, type TableVersion } from './lance-hit-cache.ts';
import { loadLibraries } from './lance-table-location.ts';

/** Minimum number of HNSW candidates: with the library's default, a search misses one neighbour in five. */
const MIN_SEARCH_CANDIDATES = 64;
/**
 * The number of candidates per hit. The exact similarities of the candidates are compared. With 4, the index misses
 * 0.5% of the best hundred hits; with 2, it misses 2%.
 */
const CANDIDATES_PER_HIT = 4;

/** The number of rows that are fetched in addition to the limit, because some may be duplicates. */
const SPARE_ROWS = 8;

type FetchHits = (rowLimit: number) => Promise<ChunkHit[]>;

/** Returns the best row for each id, best first. Drops NaN scores, which zero vectors cause. */
function dropRepeats(hits: ChunkHit[]): ChunkHit[] {
  const seen = new Set<string>();
  const valid = hits.filter(({ score }) => !Number.isNaN(score)).toSorted((a, b) => b.score - a.score);
  return valid.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Fetches more rows until `limit` distinct ids are found or no rows are left, because rows may be duplicated. */
async function fetchDistinct(limit: number, fetch: FetchHits): Promise<ChunkHit[]> {
  for (let rowLimit = limit + SPARE_ROWS; ; rowLimit *= 4) {
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

interface ScoreColumn {
  column: string;
  toScore: (value: number) => number;
}

/** Reads hits column by column, because the row objects of Arrow are slow. */
async function readHits(batches: AsyncIterable<RecordBatch>, { column, toScore }: ScoreColumn): Promise<ChunkHit[]> {
  const hits: ChunkHit[] = [];
  for await (const batch of batches) {
    const [contents, attemptIds] = [readAscii(batch, 'content'), readAscii(batch, 'attemptId')];
    const values = batch.getChild(column);
    readAscii(batch, 'id').forEach((id, row) => {
      const [content, attemptId] = [contents[row] as string, attemptIds[row] as string];
      hits.push({ id, content, attemptId, score: toScore(values?.get(row)) });
    });
  }
  return hits;
}

/** LanceDB's filters have no parameters; `validate.ts` has checked the ids. */
const contentFilter = (contents: string[]) => `content IN (${contents.map((id) => `'${id}'`).join(',')})`;

const queryText = async (table: Table, { text, contents }: WordQuery, columns: string[]) => {
  const { lance } = await loadLibraries();
  const query = table.query().fullTextSearch(new lance.MatchQuery(text, 'text'));
  if (contents) query.where(contentFilter(contents));
  return query.select([...columns, '_score']);
};

const readTextHits = (table: Table, query: WordQuery): Promise<ChunkHit[]> =>
  fetchDistinct(query.limit, async (rowLimit) => {
    const found = (await queryText(table, query, ['id', 'content', 'attemptId'])).limit(rowLimit);
    return readHits(found, { column: '_score', toScore: (score) => score });
  });

/** Counts chunks with a word. Does not read their ids, because that takes more than half of the time of a search. */
async function readWordMatches(table: Table, query: WordQuery): Promise<WordMatches> {
  const rows: { content: string; score: number }[] = [];
  const found = (await queryText(table, query, ['content'])).limit(query.limit + SPARE_ROWS);
  for await (const batch of found) {
    const scores = batch.getChild('_score');
    readAscii(batch, 'content').forEach((content, row) => rows.push({ content, score: scores?.get(row) }));
  }
  return toWordMatches(rows.toSorted((a, b) => b.score - a.score).slice(0, query.limit));
}

/** Searches by full text. The text has no query syntax; a row matches if it contains any of the words. */
export const searchText = (current: TableVersion, query: WordQuery): Promise<ChunkHit[]> => {
  const read = () => readTextHits(current.table, query);
  return query.contents ? read() : resultOfVersion(current, `${query.limit}/${query.text}`, read);
};

/** Counts the rows that contain a word, by content. */
export const countWord = (current: TableVersion, query: WordQuery): Promise<WordMatches> => {
  const read = () => readWordMatches(current.table, query);
  return query.contents ? read() : resultOfVersion(current, `count ${query.limit}/${query.text}`, read);
};

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

/** Returns the ids of the chunk and the attempt of each row of a table. */
export async function readEntries(table: Table): Promise<IndexEntry[]> {
  const entries: IndexEntry[] = [];
  for await (const batch of table.query().select(['id', 'attemptId']))
    for (const { id, attemptId } of batch) entries.push({ id, attemptId });
  return entries;
}
