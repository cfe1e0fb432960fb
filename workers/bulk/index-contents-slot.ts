import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { indexPending } from '../indexing/index-pending.ts';

/** Indexes pending contents in an additional slot of a project that has many of them. */
const indexContentsSlotJob: Processor<'bulk.index-contents-slot'> = async ({ id_project, slot }) => {
  const nextRunInMs = await indexPending(id_project);
  if (nextRunInMs === 0) await enqueue('bulk.index-contents-slot', { id_project, slot });
};
export default indexContentsSlotJob;
