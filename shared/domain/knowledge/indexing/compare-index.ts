/** Compares the index of all namespaces with MongoDB, without changing it. */
import { chunkIndex } from '../../../vectors/index.ts';
import { findNamespacesWithChunks } from './index-registry.ts';
import { modelsOf } from './namespace-model.ts';
import { compareIndex } from './sync-index.ts';

/** A namespace whose index differs from MongoDB. */
export interface IndexDifference {
  id_project: string;
  namespace: string;
  /** Chunks that the index lacks. */
  missing: number;
  /** Rows of deleted chunks. */
  superfluous: number;
}

/** Compares the ids of all chunks. Takes time in proportion to the number of chunks. */
export const countUnindexedChunks = async (): Promise<IndexDifference[]> => {
  const differences: IndexDifference[] = [];
  for (const { id_project, id: namespace } of await findNamespacesWithChunks()) {
    const key = { id_project, namespace };
    const { missing, deleted } = await compareIndex(chunkIndex(), { ...key, ...(await modelsOf(key)) });
    if (missing.length || deleted) differences.push({ ...key, missing: missing.length, superfluous: deleted });
  }
  return differences;
};
