/** Factories of spaces and rows for tests of the index of chunks. */
import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import type { ChunkIndex, Row, Space } from '#shared/vectors/index.ts';

/** Random hex digits. */
export const hex = (length: number) => randomBytes(length / 2).toString('hex');

/** A namespace of its own, with vectors of four numbers. */
export const aSpace = (more: Partial<Space> = {}): Space => ({
  project: hex(24),
  namespace: hex(24),
  dimension: 4,
  ...more,
});

/** A chunk of a content and attempt of its own, without a vector. */
export const aRow = (text: string, more: Partial<Row> = {}): Row => ({
  id: hex(40),
  content: hex(24),
  attempt: ulid(),
  text,
  vector: null,
  ...more,
});

/** A vector. */
export const at = (...numbers: number[]) => Float32Array.from(numbers);

export const idsOf = (hits: { id: string }[]) => hits.map(({ id }) => id);

/** What reconciliation would see. */
export const allIds = (index: ChunkIndex, space: Space) => Array.fromAsync(index.ids(space));
