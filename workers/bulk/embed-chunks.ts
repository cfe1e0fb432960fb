import { embedStoredChunks, indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import type { Processor } from '#shared/jobs.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { shutdownSignal } from '../shutdown.ts';

const CONTENTS_PER_RUN = 100;

/** Embeds stored chunks that have no vectors of the current embedding model, without fetching their pages again. */
const embedChunksJob: Processor<'bulk.embed-chunks'> = async ({ id_project }) => {
  const model = embedder();
  if (!model || shutdownSignal.aborted) return;
  const outdatedFilter = { id_project, status: CONTENT_STATUS.indexed, embedded_by: { $ne: model.name } };
  const contents = await KbContent.find(outdatedFilter, { namespace: 1, publishedAttemptId: 1 })
    .limit(CONTENTS_PER_RUN)
    .lean();
  for (const { _id, namespace, publishedAttemptId } of contents) {
    if (shutdownSignal.aborted) return;
    const id = String(_id);
    await embedStoredChunks({ id, id_project, namespace, publishedAttemptId: publishedAttemptId ?? '' }, model);
    await KbContent.updateOne({ _id, id_project, publishedAttemptId }, { $set: { embedded_by: model.name } });
  }
  for (const namespace of new Set(contents.map((content) => content.namespace)))
    await chunkIndex().maintain(indexSpaceOf({ id_project, namespace }));
  if (contents.length === CONTENTS_PER_RUN) await enqueue('bulk.embed-chunks', { id_project });
};
export default embedChunksJob;
