import { removalsLeft } from '#shared/domain/conversations/removing.ts';
import { removalsDue } from '#shared/domain/projects/project-removal.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';

/** Have every removal gone on with that a killed worker or a store that was away left undone, and each looked at once more in the end. */
const sweepRemovals: Processor<'upkeep.sweep-removals'> = async () => {
  for (const id_project of await removalsDue()) await enqueue('bulk.remove-project', { id_project });
  for (const left of await removalsLeft()) await enqueue('bulk.remove-messages', left);
};
export default sweepRemovals;
