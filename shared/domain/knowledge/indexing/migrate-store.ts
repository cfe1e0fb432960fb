/** Copies all namespaces to another store while the current one stays in use. */
import { AppError } from '../../../errors.ts';
import type { ChunkIndex } from '../../../vectors/index.ts';
import { currentIndexId, findNamespacesWithChunks, type NamespaceId, recordCopy } from './index-registry.ts';
import { indexSpaceOf, modelsOf } from './namespace-model.ts';
import { syncIndex } from './sync-index.ts';

/**
 * Maximum number of passes over a namespace. Each further pass copies what changed during the previous one. The first
 * sweep after the switch to the new store copies the rest.
 */
const MAX_PASSES = 3;

/** The progress of a migration, in chunks. */
export interface MigrationProgress {
  done: number;
  total: number;
}

/** The numbers of namespaces and chunks in a migration, and how many chunks this call has added to the target. */
export interface MigrationResult {
  namespaces: number;
  chunks: number;
  added: number;
}

const copyNamespace = async (
  target: ChunkIndex,
  { id_project, id }: NamespaceId,
  { indexId, onChunks }: { indexId: string; onChunks: (count: number) => void },
): Promise<number> => {
  const namespaceKey = { id_project, namespace: id };
  const models = await modelsOf(namespaceKey);
  const indexed = { ...namespaceKey, ...models };
  let added = (await syncIndex(target, indexed, { onChunks })) ?? 0;
  for (let pass = 2, changes = added; changes > 0 && pass <= MAX_PASSES; pass++) {
    changes = (await syncIndex(target, indexed)) ?? 0;
    added += changes;
  }
  await target.maintain(indexSpaceOf(namespaceKey, models.model));
  await recordCopy({ id_project, id }, { indexId, model: models.model?.name ?? '' });
  return added;
};

/**
 * Copies all namespaces to `target`, without embedding chunks again. A second call writes only what the target lacks,
 * so that an interrupted migration can be continued. When the target becomes the store of this installation, searches
 * find the copied chunks immediately. Throws 409 if the target is already in use.
 */
export const migrateStore = async (
  target: ChunkIndex,
  onProgress: (progress: MigrationProgress) => void,
): Promise<MigrationResult> => {
  const indexId = await target.identity();
  if (indexId === (await currentIndexId()))
    throw new AppError(
      409,
      'STORE_IN_USE',
      `${target.type} is already in use; choose another store with --to or --url.`,
    );
  const namespaces = await findNamespacesWithChunks();
  const total = namespaces.reduce((sum, { chunks }) => sum + chunks, 0);
  let [done, added] = [0, 0];
  onProgress({ done, total });
  for (const namespace of namespaces) {
    const onChunks = (count: number) => {
      done = Math.min(total, done + count);
      onProgress({ done, total });
    };
    added += await copyNamespace(target, namespace, { indexId, onChunks });
  }
  onProgress({ done: total, total });
  return { namespaces: namespaces.length, chunks: total, added };
};
