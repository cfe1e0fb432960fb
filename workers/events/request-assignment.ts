import { findLoggedEvent } from '#shared/domain/events/logged-event.ts';
import { hasWaitingConversations } from '#shared/domain/routing/waiting-queue.ts';
import type { EventRef } from '#shared/job-definitions.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/** Returns whether an event is about a new conversation that has a participant and therefore does not wait. */
const isServedAtOnce = async (event: EventRef): Promise<boolean> => {
  if (event.event !== 'request.create') return false;
  const { participants } = ((await findLoggedEvent(event))?.payload ?? {}) as { participants?: string[] };
  return Boolean(participants?.length);
};

/** Enqueues the assignment of a project's waiting conversations. Several events may share one job. */
const requestAssignmentJob: Processor<'events.request-assignment'> = async (event) => {
  const { id_project } = event;
  if ((await isServedAtOnce(event)) || !(await hasWaitingConversations(id_project))) return;
  await enqueue('maintenance.assign-waiting', { id_project });
};
export default requestAssignmentJob;
