import { findDueProjects } from '#shared/domain/events/deferred-events.ts';
import { countPending, listeners, wakeListener } from '#shared/domain/events/listeners.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/** Wakes up every listener that has unread events or due deferred events, because wake-ups may be lost. */
const sweepListenersJob: Processor<'maintenance.sweep-listeners'> = async () => {
  for (const listener of listeners) {
    if (await countPending(listener, 1)) await wakeListener(listener);
    for (const id_project of await findDueProjects(listener))
      await enqueue('events.retry-deferred', { listener: listener.name, id_project });
  }
};
export default sweepListenersJob;
