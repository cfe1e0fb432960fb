import { enqueueReceiver, findOverdue } from '#shared/domain/webhooks/delivery-queue.ts';
import type { Processor } from '#shared/jobs.ts';

/** Enqueues due deliveries whose wake-up was lost or whose worker died. */
const sweepDeliveriesJob: Processor<'maintenance.sweep-deliveries'> = async () => {
  for (const receiver of await findOverdue()) await enqueueReceiver(receiver);
};
export default sweepDeliveriesJob;
