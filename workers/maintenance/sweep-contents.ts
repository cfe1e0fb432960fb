import { finishRemovals, removeStaleChunks } from '#shared/domain/knowledge/content-removals.ts';
import { reportAll } from '#shared/domain/knowledge/imports.ts';
import { reclaimExpired } from '#shared/domain/knowledge/indexing/attempt-leases.ts';
import { projectsWithDueContents } from '#shared/domain/knowledge/indexing/due-contents.ts';
import { findOutdatedNamespaces } from '#shared/domain/knowledge/indexing/index-registry.ts';
import { queueDueRefreshes } from '#shared/domain/knowledge/refresh-contents.ts';
import {
  discardOtherDimensions,
  dropReplacedVectors,
  projectsToEmbed,
} from '#shared/domain/knowledge/indexing/reembed.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { enqueue } from '#shared/queue/queue.ts';

/**
 * Resumes indexing after a worker has been killed, or after a job or an index has been lost: the stored status of each
 * content determines what must be done. Also queues contents that are due to be fetched again, reports the progress of
 * imports, and removes what deletions, outdated attempts and the previous embedding model have left behind.
 */
const sweepContentsJob: Processor<'maintenance.sweep-contents'> = async () => {
  const requeued = await reclaimExpired();
  if (requeued) logger.warn({ requeued }, 'contents with an expired lease requeued');
  await queueDueRefreshes();
  await reportAll();
  for (const id_project of await projectsWithDueContents()) await enqueue('kb.index-contents', { id_project });
  const model = embedder();
  if (model) {
    await discardOtherDimensions(model);
    for (const id_project of await projectsToEmbed(model.name)) await enqueue('bulk.embed-chunks', { id_project });
  }
  for (const { id_project, id } of await findOutdatedNamespaces())
    await enqueue('bulk.rebuild-index', { id_project, namespace: id });
  await removeStaleChunks();
  await finishRemovals();
  await dropReplacedVectors();
};
export default sweepContentsJob;
