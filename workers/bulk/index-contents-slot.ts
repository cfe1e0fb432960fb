import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { indexPending } from '../indexing/index-pending.ts';

/**
 * Indexes pending contents of a project in parallel with its main indexing job, which enqueues this job if more than
 * one content is due.
 */
const indexContentsSlotJob: Processor<'bulk.index-contents-slot'> = async ({ id_project, slot }) => {
  const nextRunInMs = await indexPending(id_project);
  if (nextRunInMs === 0) await enqueue('bulk.index-contents-slot', { id_project, slot });
};
export default indexContentsSlotJob;
