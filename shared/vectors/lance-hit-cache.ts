/**
 * Keeps the results of the full-text searches of a table until it changes. This saves work, because each word of a
 * question is also searched for on its own, to count the chunks that contain it, and questions share most of their
 * words.
 */
import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import type { ChunkHit, WordMatches } from './chunk-index.ts';

/** Maximum number of hits in all kept results; they take about 10 MB. */
const MAX_HITS = 40_000;
/** An entry of `chunksByContent` takes a quarter of the memory of a hit. */
const COUNTS_PER_HIT = 4;

type SearchResult = ChunkHit[] | WordMatches;

const sizeOf = (result: SearchResult): number =>
  1 + (Array.isArray(result) ? result.length : Math.ceil(result.chunksByContent.size / COUNTS_PER_HIT));

let results: LRUCache<string, SearchResult> | undefined;
/** An open table, and the number of the version that it reads. */
export interface TableVersion {
  table: Table;
  version: number;
}

let handleCount = 0;
const handleIds = new WeakMap<Table, number>();

/**
 * Returns a number that identifies the handle of a table. A table that was dropped and created again starts at
 * version 1 again, but has a new handle.
 */
const handleIdOf = (table: Table): number => {
  const id = handleIds.get(table) ?? ++handleCount;
  handleIds.set(table, id);
  return id;
};

/** Returns the result of the search named `search` in a version of a table. Callers must not modify the result. */
export async function resultOfVersion<Result extends SearchResult>(
  { table, version }: TableVersion,
  search: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const key = `${handleIdOf(table)}/${version}/${search}`;
  results ??= new LRUCache({ maxSize: MAX_HITS, sizeCalculation: sizeOf });
  const known = results.get(key);
  if (known) return known as Result;
  const result = await read();
  results.set(key, result);
  return result;
}
