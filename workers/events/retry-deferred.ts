import { config } from '#shared/config.ts';
import { findListener } from '#shared/domain/events/listeners.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';
import type { HandlerLookup } from '../listeners/handle-event.ts';
import { retryEvents } from '../listeners/retry-events.ts';

const RETRY_DELAY_MS = 500;

/**
 * Retries a listener's deferred events of one project, and enqueues itself again if the next deferred event is due
 * before the next sweep.
 */
const retryDeferredJob =
  (handlerOf: HandlerLookup): Processor<'events.retry-deferred'> =>
  async ({ listener, id_project }) => {
    const definition = findListener(listener);
    const msToNextAttempt = await retryEvents({ ...definition, handle: await handlerOf(definition.name) }, id_project);
    if (msToNextAttempt !== null && msToNextAttempt <= config.SWEEP_INTERVAL_SECONDS * 1000)
      await enqueue('events.retry-deferred', { listener, id_project }, RETRY_DELAY_MS);
  };
export default retryDeferredJob;
