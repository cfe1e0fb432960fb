/** The richness of a namespace: its size, on a scale that determines how much a missing word of a question matters. */
import { TtlCache } from '../../../concurrency/ttl-cache.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import type { NamespaceKey } from '../indexing/chunks.ts';

/** The number of chunks from which the richness is 1, and the number up to which it is 0. */
const RICH_CHUNK_COUNT = 3000;
const POOR_CHUNK_COUNT = 100;

const richNamespaces = new TtlCache<true>({ ttlMs: 10 * 60_000, max: 500 });

/**
 * Returns the size of a namespace on a logarithmic scale, from 0 (at most 100 chunks) to 1 (3000 chunks or more). Makes
 * one read of limited size. A result of 1 is cached for ten minutes.
 */
export async function readRichness({ id_project, namespace }: NamespaceKey): Promise<number> {
  const key = `${id_project}/${namespace}`;
  if (richNamespaces.get(key)) return 1;
  const chunkCount = await KbChunk.countDocuments({ id_project, namespace }, { limit: RICH_CHUNK_COUNT });
  if (chunkCount >= RICH_CHUNK_COUNT) richNamespaces.set(key, true);
  return Math.max(
    0,
    Math.log(Math.max(1, chunkCount) / POOR_CHUNK_COUNT) / Math.log(RICH_CHUNK_COUNT / POOR_CHUNK_COUNT),
  );
}
