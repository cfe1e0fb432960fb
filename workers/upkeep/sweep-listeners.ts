import { projectsDue } from '#shared/domain/events/kept-aside.ts';
import { hearers, lag, wake } from '#shared/domain/events/listeners.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';

/** Nudge every listener that is behind or has something to try again: a nudge may be lost, the changes log is not. */
const sweepListeners: Processor<'upkeep.sweep-listeners'> = async () => {
  for (const hearer of hearers) {
    if (await lag(hearer, 1)) await wake(hearer);
    for (const id_project of await projectsDue(hearer))
      await enqueue('events.retry-listener', { listener: hearer.name, id_project });
  }
};
export default sweepListeners;
