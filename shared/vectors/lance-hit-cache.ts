/**
 * Keeps the results of full-text searches until their table changes. Questions share most of their words, and each word
 * is searched alone for its statistics.
 */
import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import type { ChunkHit } from './chunk-index.ts';

/** The number of hits in all kept results, about 10 MB. */
const MAX_HITS = 40_000;

let results: LRUCache<string, ChunkHit[]> | undefined;
let handleCount = 0;
const handleIds = new WeakMap<Table, number>();

/** A table that was dropped and created again has a new handle, although its versions start again with 1. */
const handleIdOf = (table: Table): number => {
  const id = handleIds.get(table) ?? ++handleCount;
  handleIds.set(table, id);
  return id;
};

/** Returns the hits of a search, named `search`, of a version of a table. Callers must not change them. */
export async function hitsOfVersion(
  { table, version }: { table: Table; version: number },
  search: string,
  read: () => Promise<ChunkHit[]>,
): Promise<ChunkHit[]> {
  const key = `${handleIdOf(table)}/${version}/${search}`;
  results ??= new LRUCache({ maxSize: MAX_HITS, sizeCalculation: (hits) => hits.length + 1 });
  const known = results.get(key);
  if (known) return known;
  const hits = await read();
  results.set(key, hits);
  return hits;
}
