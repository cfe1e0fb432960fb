import { config } from '#shared/config.ts';
import { RENEWAL_INTERVAL_MS } from '#shared/domain/outgoing-calls/call-queue.ts';
import {
  allowProbe,
  type Circuit,
  claimProbe,
  postponeDeliveries,
  readCircuit,
} from '#shared/domain/webhooks/circuit.ts';
import {
  type DeliverySequence,
  type DueDelivery,
  enqueueDelivery,
  findIdleSequence,
  nextSequence,
  renewLease,
  SLOTS_PER_RECEIVER,
  takeDelivery,
} from '#shared/domain/webhooks/delivery-queue.ts';
import { readSubscription, type StoredSubscription } from '#shared/domain/webhooks/active-subscription.ts';
import { giveUpAll } from '#shared/domain/webhooks/open-deliveries.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { shutdownSignal } from '../shutdown.ts';
import { attemptDelivery } from '../attempt-delivery.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;
/** Concurrent deliveries to a receiver whose last attempt was a failure or that has not been called yet. */
const SLOTS_OF_UNTRUSTED = 1;

/** Maximum number of times that a job finds a sequence which another worker already serves. */
const MAX_MISSES = 4;
const NO_DELIVERY = { isMade: false, next: null } as const;

const slotsOf = ({ isTrusted }: Circuit): number => (isTrusted ? SLOTS_PER_RECEIVER : SLOTS_OF_UNTRUSTED);

const renew = (delivery: DueDelivery): Promise<void> =>
  renewLease(delivery).catch((error: Error) => logger.warn({ err: error.message }, 'lease of a delivery not renewed'));

const attempt = async (delivery: DueDelivery, subscription: StoredSubscription, circuit: Circuit): Promise<void> => {
  const renewTimer = setInterval(renew, RENEWAL_INTERVAL_MS, delivery);
  try {
    await attemptDelivery(delivery, subscription, circuit);
  } finally {
    clearInterval(renewTimer);
  }
};

/**
 * Takes and makes one delivery of a sequence. While the circuit is open, makes a delivery only if this worker claims
 * the probe. If another worker serves the sequence, nothing is made. Returns the next sequence, or null if none is due.
 */
const deliverOne = async (sequence: DeliverySequence): Promise<{ isMade: boolean; next: DeliverySequence | null }> => {
  const [subscription, circuit] = await Promise.all([readSubscription(sequence), readCircuit(sequence)]);
  if (!subscription) {
    await giveUpAll(sequence, 'The subscription was deleted or disabled');
    return NO_DELIVERY;
  }
  const isOpen = circuit.retryAt != null;
  if (isOpen && !(await claimProbe(sequence))) {
    await postponeDeliveries(sequence, circuit.retryAt as Date);
    return NO_DELIVERY;
  }
  const receiverSlots = slotsOf(circuit);
  const delivery = await takeDelivery(sequence, { receiverSlots, early: isOpen });
  if (!delivery) {
    if (!isOpen) return { isMade: false, next: await findIdleSequence(sequence, receiverSlots) };
    await allowProbe(sequence);
    return NO_DELIVERY;
  }
  await attempt(delivery, subscription, circuit);
  return { isMade: true, next: await nextSequence(delivery, receiverSlots) };
};

/** Makes the due deliveries of a sequence, and of other sequences that wait for its slots, for one time slice. */
const deliverJob: Processor<'webhooks.deliver'> = async (sequence) => {
  const end = performance.now() + TIME_SLICE_MS;
  let next: DeliverySequence | null = sequence;
  let missesLeft = MAX_MISSES;
  while (next && missesLeft && performance.now() < end && !shutdownSignal.aborted) {
    const result = await deliverOne(next);
    if (!result.isMade) missesLeft -= 1;
    next = result.next;
  }
  if (next && missesLeft) await enqueueDelivery(next);
};
export default deliverJob;
