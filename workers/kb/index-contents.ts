import { config } from '#shared/config.ts';
import { countDueContents } from '#shared/domain/knowledge/indexing/due-contents.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { indexPending } from '../indexing/index-pending.ts';

const EXTRA_SLOTS_INTERVAL_MS = 400;

/**
 * Enqueues the job of an additional slot for each due content, up to the maximum number of slots; a job that is already
 * enqueued is not enqueued again. `takenByCaller` is the number of due contents that the calling job is about to take
 * itself. Returns whether every additional slot now has a job.
 */
const enqueueExtraSlots = async (id_project: string, takenByCaller: number): Promise<boolean> => {
  const maxSlots = config.MAX_PARALLEL_JOBS_PER_PROJECT - 1;
  const due = await countDueContents(id_project, config.MAX_PARALLEL_JOBS_PER_PROJECT);
  const slots = Math.min(due - takenByCaller, maxSlots);
  for (let slot = 1; slot <= slots; slot++) await enqueue('bulk.index-contents-slot', { id_project, slot });
  return slots === maxSlots;
};

/**
 * Enqueues additional slots while `work` runs, so that a slow page does not delay contents that are added in the
 * meantime. The content on which `work` works is no longer due, so every due content needs a slot.
 */
const withExtraSlots = async <T>(id_project: string, work: () => Promise<T>): Promise<T> => {
  const addSlots = () =>
    enqueueExtraSlots(id_project, 0).catch((error: Error) =>
      logger.warn({ err: error.message }, 'additional indexing slots not enqueued'),
    );
  const timer = setInterval(addSlots, EXTRA_SLOTS_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};

/**
 * Indexes a project's pending contents in its first slot, and enqueues more slots if several contents are due. Then
 * enqueues itself again behind the other projects, if more contents will be due before the next sweep.
 */
const indexContentsJob: Processor<'kb.index-contents'> = async ({ id_project }) => {
  const hasAllSlots = await enqueueExtraSlots(id_project, 1);
  const work = () => indexPending(id_project);
  const nextRunInMs = await (hasAllSlots ? work() : withExtraSlots(id_project, work));
  if (nextRunInMs !== null) await enqueue('kb.index-contents', { id_project }, nextRunInMs);
};
export default indexContentsJob;
