import { projectsWithWaitingConversations } from '#shared/domain/routing/waiting-queue.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/**
 * Enqueues the assignment of conversations for every project in which conversations wait, because the start of
 * operating hours emits no event, and Redis may lose jobs.
 */
const sweepWaitingJob: Processor<'maintenance.sweep-waiting'> = async () => {
  for await (const id_project of projectsWithWaitingConversations())
    await enqueue('maintenance.assign-waiting', { id_project });
};
export default sweepWaitingJob;
