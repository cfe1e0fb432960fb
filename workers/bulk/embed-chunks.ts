import { findUnswitched, indexSpaceOf } from '#shared/domain/knowledge/indexing/namespace-model.ts';
import { embedStoredChunks, outdatedFilter, switchIfComplete } from '#shared/domain/knowledge/indexing/reembed.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import type { Processor } from '#shared/jobs.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { shutdownSignal } from '../shutdown.ts';

const CONTENTS_PER_RUN = 100;

/**
 * Embeds stored chunks that have no vectors of the configured model, without fetching their pages again, and switches a
 * namespace to the model once all its chunks have such vectors.
 */
const embedChunksJob: Processor<'bulk.embed-chunks'> = async ({ id_project }) => {
  const model = embedder();
  if (!model || shutdownSignal.aborted) return;
  const contents = await KbContent.find(
    { id_project, ...outdatedFilter(model.name) },
    { namespace: 1, publishedAttemptId: 1 },
  )
    .limit(CONTENTS_PER_RUN)
    .lean();
  for (const { _id, namespace, publishedAttemptId } of contents) {
    if (shutdownSignal.aborted) return;
    const content = { id: String(_id), id_project, namespace, publishedAttemptId: publishedAttemptId ?? '' };
    await embedStoredChunks(content, model);
  }
  for (const namespaceKey of await findUnswitched(model.name, id_project)) await switchIfComplete(namespaceKey, model);
  for (const namespace of new Set(contents.map((content) => content.namespace)))
    await chunkIndex().maintain(indexSpaceOf({ id_project, namespace }, model));
  if (contents.length === CONTENTS_PER_RUN) await enqueue('bulk.embed-chunks', { id_project });
};
export default embedChunksJob;
