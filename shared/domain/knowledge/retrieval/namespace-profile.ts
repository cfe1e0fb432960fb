/** The profile of a namespace: the mean direction of its vectors, and its size. */
import { TtlCache } from '../../../concurrency/ttl-cache.ts';
import type { Embedder } from '../../../embedding/embedder.ts';
import { KbChunk } from '../../../models/kb-chunk.ts';
import { decodeVector } from '../../../vectors/vector.ts';
import type { NamespaceKey } from '../indexing/chunks.ts';

/** Number of chunks whose vectors are added up. Chunk ids are hashes, so the first ones are a random sample. */
const SAMPLE_SIZE = 256;
/** The number of chunks at which `richness` is 1, and the number up to which it is 0. */
const RICH_CHUNK_COUNT = 3000;
const POOR_CHUNK_COUNT = 100;

/** The mean direction of a namespace's vectors, and the namespace's size. */
export interface NamespaceProfile {
  /** The sum of a sample of the vectors, or null without vectors. Only its direction is used. */
  centroid: Float32Array | null;
  /** The size on a logarithmic scale, from 0 (at most 100 chunks) to 1 (3000 chunks or more). */
  richness: number;
}

const profiles = new TtlCache<NamespaceProfile>({ ttlMs: 10 * 60_000, max: 500 });

async function centroidOf({ id_project, namespace }: NamespaceKey, model: string): Promise<Float32Array | null> {
  const filter = { id_project, namespace, model };
  const sample = await KbChunk.find(filter, { vector: 1 }).sort({ _id: 1 }).limit(SAMPLE_SIZE).lean();
  const vectors = sample.flatMap(({ vector }) => decodeVector(vector) ?? []);
  const first = vectors[0];
  return first ? first.map((_, index) => vectors.reduce((sum, vector) => sum + (vector[index] ?? 0), 0)) : null;
}

async function richnessOf({ id_project, namespace }: NamespaceKey): Promise<number> {
  const chunkCount = await KbChunk.countDocuments({ id_project, namespace }, { limit: RICH_CHUNK_COUNT });
  return Math.max(
    0,
    Math.log(Math.max(1, chunkCount) / POOR_CHUNK_COUNT) / Math.log(RICH_CHUNK_COUNT / POOR_CHUNK_COUNT),
  );
}

/**
 * Returns the profile of a namespace for an embedding model. Makes two reads of limited size. The profile of a large
 * namespace is cached for ten minutes.
 */
export async function readNamespaceProfile(
  namespaceKey: NamespaceKey,
  model: Embedder | null,
): Promise<NamespaceProfile> {
  const key = `${namespaceKey.id_project}/${namespaceKey.namespace}/${model?.name}`;
  const cached = profiles.get(key);
  if (cached) return cached;
  const [centroid, richness] = await Promise.all([
    model && centroidOf(namespaceKey, model.name),
    richnessOf(namespaceKey),
  ]);
  const profile = { centroid, richness };
  if (richness === 1) profiles.set(key, profile);
  return profile;
}
