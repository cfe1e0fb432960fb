import { config } from '#shared/config.ts';
import { hearerOf } from '#shared/domain/events/listeners.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';
import type { WorkOf } from '../steps/hear.ts';
import { retry } from '../steps/retry.ts';

const SOON_MS = 500;

/** Try again what a listener keeps aside of a project; what is due later than the next sweep is left to that. */
const retryListener =
  (workOf: WorkOf): Processor<'events.retry-listener'> =>
  async ({ listener, id_project }) => {
    const hearer = hearerOf(listener);
    const wait = await retry({ ...hearer, work: await workOf(hearer.name) }, id_project);
    if (wait !== null && wait <= config.SWEEP_SECONDS * 1000)
      await enqueue('events.retry-listener', { listener, id_project }, SOON_MS);
  };
export default retryListener;
