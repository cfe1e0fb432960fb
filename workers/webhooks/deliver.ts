import { config } from '#shared/config.ts';
import { enqueueReceiver } from '#shared/domain/webhooks/delivery-queue.ts';
import {
  LEASE_RENEWAL_MS,
  type ReceiverKey,
  releaseLease,
  renewLease,
  takeLease,
} from '#shared/domain/webhooks/receiver-lease.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { releaseSlot, takeSlot } from '../deliveries/project-slots.ts';
import { ReceiverPump } from '../deliveries/receiver-pump.ts';
import { shutdownSignal } from '../shutdown.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;

/**
 * Delivers to a receiver while this worker holds the lease of the receiver. Returns whether more deliveries may be due.
 */
const deliverUnderLease = async (key: ReceiverKey, holder: string): Promise<boolean> => {
  let isLost = false;
  const renew = async (): Promise<void> => {
    isLost ||= !(await renewLease(key, holder));
  };
  const timer = setInterval(
    () => renew().catch((error: Error) => logger.warn({ err: error.message }, 'lease of a receiver not renewed')),
    LEASE_RENEWAL_MS,
  );
  try {
    const isStopped = () => isLost || shutdownSignal.aborted;
    return await new ReceiverPump(key, { end: performance.now() + TIME_SLICE_MS, isStopped }).run();
  } finally {
    clearInterval(timer);
    await releaseLease(key, holder);
  }
};

/** Makes the due deliveries of a project to a receiver for one time slice, unless another worker is making them. */
const deliverJob: Processor<'webhooks.deliver'> = async ({ id_project, receiver }) => {
  const key = { id_project, receiver };
  if (!takeSlot(key)) return;
  try {
    const lease = await takeLease(key);
    if ('heldUntil' in lease) await enqueueReceiver(key, lease.heldUntil.getTime() - currentTimeMs());
    else if (await deliverUnderLease(key, lease.holder)) await enqueueReceiver(key);
  } finally {
    const next = releaseSlot(key);
    if (next) await enqueueReceiver(next);
  }
};
export default deliverJob;
