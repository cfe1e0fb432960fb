import { findListener } from '#shared/domain/events/listeners.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { consumeEvents } from '../listeners/consume-events.ts';
import type { HandlerLookup } from '../listeners/handle-event.ts';

/** Runs a listener on new events for one time slice. If any remain, enqueues itself again behind other listeners. */
const runListenerJob =
  (handlerOf: HandlerLookup): Processor<'events.run-listener'> =>
  async ({ listener }) => {
    const definition = findListener(listener);
    const handle = await handlerOf(definition.name);
    if (await consumeEvents({ ...definition, handle })) await enqueue('events.run-listener', { listener });
  };
export default runListenerJob;
