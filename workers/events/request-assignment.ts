import { hasWaitingConversations } from '#shared/domain/routing/waiting-queue.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/** Enqueues the assignment of a project's waiting conversations. Several events may share one job. */
const requestAssignmentJob: Processor<'events.request-assignment'> = async ({ id_project }) => {
  if (await hasWaitingConversations(id_project)) await enqueue('maintenance.assign-waiting', { id_project });
};
export default requestAssignmentJob;
