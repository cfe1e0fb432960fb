/** What a namespace is about: the common direction of its passages, and whether there are many. */
import { vectorOf } from '../domain/knowledge/chunks.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { KbChunk } from '../models/kb-chunk.ts';
import { Recent } from '../recent.ts';
import type { Place } from './candidates.ts';

/** Passages read to learn the direction; their ids are hashes, so the first ones are a fair sample. */
const SAMPLE = 256;
/** Passages from which on a namespace has the words of its field, and up to which it has few of them. */
const RICH = 3000;
const POOR = 100;

/** The mean of a namespace's vectors, of any length; and its size, from 0 (some 100 passages) to 1 (thousands). */
export interface Subject {
  direction: Float32Array | null;
  richness: number;
}

const subjects = new Recent<Subject>({ ttlMs: 10 * 60_000, max: 500 });

async function directionOf({ id_project, namespace }: Place, model: string): Promise<Float32Array | null> {
  const filter = { id_project, namespace, model };
  const sample = await KbChunk.find(filter, { vector: 1 }).sort({ _id: 1 }).limit(SAMPLE).lean();
  const vectors = sample.flatMap(({ vector }) => vectorOf(vector) ?? []);
  const first = vectors[0];
  return first ? first.map((_, at) => vectors.reduce((sum, vector) => sum + (vector[at] ?? 0), 0)) : null;
}

async function richnessOf({ id_project, namespace }: Place): Promise<number> {
  const passages = await KbChunk.countDocuments({ id_project, namespace }, { limit: RICH });
  return Math.max(0, Math.log(Math.max(1, passages) / POOR) / Math.log(RICH / POOR));
}

/** The subject of a namespace as `model` sees it; learnt with two bounded reads, and kept for minutes once there is much to learn from. */
export async function subjectOf(place: Place, model: Embedder | null): Promise<Subject> {
  const key = `${place.id_project}/${place.namespace}/${model?.name}`;
  const known = subjects.get(key);
  if (known) return known;
  const [direction, richness] = await Promise.all([model && directionOf(place, model.name), richnessOf(place)]);
  const subject = { direction, richness };
  if (richness === 1) subjects.set(key, subject);
  return subject;
}
