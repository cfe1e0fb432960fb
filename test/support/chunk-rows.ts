/** Factories for tests of the chunk index: spaces (parts of the index, each for one namespace) and rows (chunks). */
import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import type { ChunkIndex, IndexRow, IndexSpace } from '#shared/vectors/index.ts';

/** Random hex digits. */
export const hex = (length: number) => randomBytes(length / 2).toString('hex');

/** A new namespace with vectors of four numbers. */
export const aSpace = (more: Partial<IndexSpace> = {}): IndexSpace => ({
  project: hex(24),
  namespace: hex(24),
  dimension: 4,
  ...more,
});

/** A chunk of a new content and attempt, without a vector. */
export const aRow = (text: string, more: Partial<IndexRow> = {}): IndexRow => ({
  id: hex(40),
  content: hex(24),
  attemptId: ulid(),
  text,
  vector: null,
  ...more,
});

export const vectorOf = (...numbers: number[]) => Float32Array.from(numbers);

export const idsOf = (hits: { id: string }[]) => hits.map(({ id }) => id);

/** The ids of all chunks of the namespace in the index. */
export const allIds = (index: ChunkIndex, space: IndexSpace) => Array.fromAsync(index.entries(space), ({ id }) => id);
