import { hearerOf } from '#shared/domain/events/listeners.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue.ts';
import type { WorkOf } from '../steps/hear.ts';
import { listen } from '../steps/listen.ts';

/** Let a listener hear what is new for a bounded time, then queue up again behind the others. */
const pumpListener =
  (workOf: WorkOf): Processor<'events.pump-listener'> =>
  async ({ listener }) => {
    const hearer = hearerOf(listener);
    const { more, kept } = await listen({ ...hearer, work: await workOf(hearer.name) });
    for (const id_project of kept) await enqueue('events.retry-listener', { listener, id_project });
    if (more) await enqueue('events.pump-listener', { listener });
  };
export default pumpListener;
