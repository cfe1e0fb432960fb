import { findPendingRemovals } from '#shared/domain/conversations/lifecycle/delete.ts';
import { findUnfinished } from '#shared/domain/knowledge/deletions.ts';
import { findDueRemovals } from '#shared/domain/projects/project-removal.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/**
 * Enqueues unfinished removals of contents, of projects and of the messages of conversations. Each project removal runs
 * again later, to delete what other processes have stored in the meantime.
 */
const sweepRemovalsJob: Processor<'maintenance.sweep-removals'> = async () => {
  for (const deletion of await findUnfinished()) await enqueue('bulk.delete-contents', deletion);
  for (const id_project of await findDueRemovals()) await enqueue('bulk.remove-project', { id_project });
  for (const removal of await findPendingRemovals()) await enqueue('bulk.remove-messages', removal);
};
export default sweepRemovalsJob;
