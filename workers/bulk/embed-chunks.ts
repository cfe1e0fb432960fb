import { embedStored, spaceOf } from '#shared/domain/knowledge/chunks.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import type { Processor } from '#shared/jobs.ts';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import { enqueue } from '#shared/queue.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { stopping } from '../stopping.ts';

const BATCH = 100;

/** Give the passages that were indexed without the model of now their vectors; nothing is fetched again. */
const embedChunks: Processor<'bulk.embed-chunks'> = async ({ id_project }) => {
  const model = embedder();
  if (!model || stopping.aborted) return;
  const behind = { id_project, status: STATUS.indexed, embedded_by: { $ne: model.name } };
  const contents = await KbContent.find(behind, { namespace: 1, current: 1 }).limit(BATCH).lean();
  for (const { _id, namespace, current } of contents) {
    if (stopping.aborted) return;
    const id = String(_id);
    await embedStored({ id, id_project, namespace, current: current ?? '' }, model);
    await KbContent.updateOne({ _id, id_project, current }, { $set: { embedded_by: model.name } });
  }
  for (const namespace of new Set(contents.map((content) => content.namespace)))
    await chunkIndex().maintain(spaceOf({ id_project, namespace }));
  if (contents.length === BATCH) await enqueue('bulk.embed-chunks', { id_project });
};
export default embedChunks;
