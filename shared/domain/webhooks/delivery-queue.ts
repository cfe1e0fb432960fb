/** The queue of deliveries to subscriptions. */
import { config } from '../../config.ts';
import type { Payload } from '../../jobs.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { enqueue } from '../../queue/queue.ts';
import { backoffMs } from '../../time/backoff.ts';
import {
  abandonCall,
  completeCall,
  findNext,
  renewCall,
  retryCall,
  takeCall,
  type TakeOptions,
} from '../outgoing-calls/call-queue.ts';
import type { CallModel, CallQueue, TakenCall } from '../outgoing-calls/queue-definition.ts';
import type { CircuitKey } from './circuit.ts';

/** Maximum number of concurrent deliveries of a project to a receiver that answers. */
export const SLOTS_PER_RECEIVER = 4;
const SLOTS_PER_PROJECT = 128;
const RETRY_FACTOR = 4;
/** Maximum time for which a failed delivery holds back later deliveries of its sequence. */
const MAX_HOLD_MS = 60_000;
/** Number of sequences of a subscription that one wake-up enqueues. Each job then continues with other sequences. */
const WAKE_UPS = SLOTS_PER_RECEIVER;

/** The deliveries of one conversation, or of one record, to one subscription. They are made one after the other. */
export interface DeliverySequence {
  id_project: string;
  receiver: string;
  subscription: string;
  sequence: string;
}

/** A delivery that a worker has taken. */
export interface DueDelivery extends DeliverySequence, TakenCall {
  event: string;
  event_id: string;
  position: string;
  test_payload?: object;
  freesSequenceAt?: Date;
  retryUntil: Date;
}

/**
 * Enqueues the job that makes the deliveries of a sequence after `delayMs`. Delays longer than the sweep interval are
 * left to the sweep, because a waiting job would suppress an earlier wake-up of its sequence.
 */
export const enqueueDelivery = async (key: DeliverySequence, delayMs = 0): Promise<void> => {
  if (delayMs > config.SWEEP_INTERVAL_SECONDS * 1000) return;
  await enqueue('webhooks.deliver', key satisfies Payload<'webhooks.deliver'>, delayMs);
};

const QUEUE: CallQueue<DeliverySequence, DueDelivery> = {
  model: WebhookDelivery as unknown as CallModel,
  keyOf: ({ id_project, receiver, subscription, sequence }) => ({ id_project, receiver, subscription, sequence }),
  receiverField: 'receiver',
  slotField: 'receiver_slot',
  slotsPerReceiver: SLOTS_PER_RECEIVER,
  slotsPerProject: SLOTS_PER_PROJECT,
  enqueue: enqueueDelivery,
};

/** Takes the next delivery of a sequence; null if none is due, another worker has it, or no slot is free. */
export const takeDelivery = (key: DeliverySequence, options: TakeOptions): Promise<DueDelivery | null> =>
  takeCall(QUEUE, key, options);

/** Renews the lease of a delivery in progress. */
export const renewLease = (delivery: DueDelivery): Promise<void> => renewCall(QUEUE, delivery);

const SEQUENCE_FIELDS = { _id: 0, id_project: 1, receiver: 1, subscription: 1, sequence: 1 } as const;

const dueFilter = ({ id_project, subscription }: CircuitKey) => ({
  ...{ id_project, subscription, holder: { $exists: false } },
  dueAt: { $lte: new Date() },
});

/** Returns at most `limit` sequences of a subscription with due deliveries, those that have been due longest first. */
export const findDueSequences = (key: CircuitKey, limit = WAKE_UPS): Promise<DeliverySequence[]> =>
  WebhookDelivery.find(dueFilter(key), SEQUENCE_FIELDS).sort({ dueAt: 1 }).limit(limit).lean();

/** Enqueues the jobs that make a subscription's due deliveries. */
export const wakeSubscription = async (key: CircuitKey): Promise<void> => {
  for (const sequence of await findDueSequences(key)) await enqueueDelivery(sequence);
};

/**
 * Returns the sequence that uses the slots that a delivery has released: one that waits for a slot, the delivery's own,
 * or another one of the same subscription. Returns null if there is none.
 */
export const nextSequence = async (delivery: DueDelivery, receiverSlots: number): Promise<DeliverySequence | null> =>
  (await findNext(QUEUE, delivery, receiverSlots)) ?? (await findDueSequences(delivery, 1))[0] ?? null;

/** Completes a delivery that the receiver has accepted. */
export const finishDelivery = (delivery: DueDelivery): Promise<void> =>
  completeCall(QUEUE, delivery, { deliveredAt: new Date() });

/** Gives up a delivery. */
export const giveUpDelivery = (delivery: DueDelivery, error: string): Promise<void> =>
  abandonCall(QUEUE, delivery, { error });

/** Returns the time of the next attempt; null after the last one. */
const nextAttemptAt = ({ attemptsMade, retryUntil }: DueDelivery, minDelayMs: number): Date | null => {
  if (attemptsMade >= config.WEBHOOK_ATTEMPTS && retryUntil <= new Date()) return null;
  const delays = {
    baseMs: config.WEBHOOK_FIRST_RETRY_SECONDS * 1000,
    maxMs: config.WEBHOOK_MAX_RETRY_DELAY_SECONDS * 1000,
    factor: RETRY_FACTOR,
  };
  return new Date(Date.now() + Math.max(minDelayMs, backoffMs(attemptsMade, delays)));
};

/**
 * Schedules the next attempt of a failed delivery, or gives up the delivery after its last attempt. `minDelayMs` is the
 * delay that the receiver requests.
 */
export const failDelivery = async (delivery: DueDelivery, error: string, minDelayMs = 0): Promise<void> => {
  const dueAt = nextAttemptAt(delivery, minDelayMs);
  if (!dueAt) return giveUpDelivery(delivery, error);
  const freesSequenceAt = delivery.freesSequenceAt ?? new Date(Date.now() + MAX_HOLD_MS);
  await retryCall(QUEUE, delivery, { dueAt, error, freesSequenceAt });
};

/** Returns one sequence of each subscription with overdue deliveries, whose wake-up was lost or whose worker died. */
export const findOverdue = async (): Promise<DeliverySequence[]> => {
  const first = { receiver: { $first: '$receiver' }, sequence: { $first: '$sequence' } };
  const found = await WebhookDelivery.aggregate<DeliverySequence & { _id: CircuitKey }>([
    { $match: { dueAt: { $lte: new Date() } } },
    { $group: { _id: { id_project: '$id_project', subscription: '$subscription' }, ...first } },
  ]).option({ anyProject: true });
  return found.map(({ _id, receiver, sequence }) => ({ ..._id, receiver, sequence }));
};
