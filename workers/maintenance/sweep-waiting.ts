import { projectsWithWaitingConversations } from '#shared/domain/routing/waiting-queue.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/**
 * Enqueues assignment for every project with waiting conversations: operating hours begin without an event, and a Redis
 * flush loses jobs.
 */
const sweepWaitingJob: Processor<'maintenance.sweep-waiting'> = async () => {
  for await (const id_project of projectsWithWaitingConversations())
    await enqueue('maintenance.assign-waiting', { id_project });
};
export default sweepWaitingJob;
