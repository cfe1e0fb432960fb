import { findDueProjects } from '#shared/domain/events/deferred-events.ts';
import { findBehind, wakeListener } from '#shared/domain/events/listeners.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/** Wakes up every listener that has unread events or due deferred events, because wake-ups may be lost. */
const sweepListenersJob: Processor<'maintenance.sweep-listeners'> = async () => {
  for (const listener of await findBehind()) await wakeListener(listener);
  for (const due of await findDueProjects()) await enqueue('events.retry-deferred', due);
};
export default sweepListenersJob;
