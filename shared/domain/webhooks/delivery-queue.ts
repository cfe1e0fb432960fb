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
/** Number of sequences from which a job chooses its next one. */
const MAX_CANDIDATES = 16;
/** Number of due deliveries among which sequences are searched. */
const MAX_SEARCHED = 500;

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

const dueFilter = ({ id_project, subscription }: CircuitKey) => ({
  ...{ id_project, subscription, holder: { $exists: false } },
  dueAt: { $lte: new Date() },
});

/**
 * Returns at most `limit` sequences of a subscription that have due deliveries and that no worker serves, the longest
 * due first.
 */
const findIdleSequences = async (
  { id_project, subscription }: CircuitKey,
  { limit = WAKE_UPS, receiverSlots = SLOTS_PER_RECEIVER } = {},
): Promise<DeliverySequence[]> => {
  const ofSubscription = { id_project, subscription };
  const busy = await WebhookDelivery.distinct('sequence', { ...ofSubscription, holder: { $exists: true } });
  if (busy.length >= receiverSlots) return [];
  const found = await WebhookDelivery.aggregate<{ _id: { receiver: string; sequence: string } }>([
    { $match: { ...dueFilter({ id_project, subscription }), sequence: { $nin: busy } } },
    { $sort: { dueAt: 1 } },
    { $limit: MAX_SEARCHED },
    { $group: { _id: { receiver: '$receiver', sequence: '$sequence' }, dueAt: { $min: '$dueAt' } } },
    { $sort: { dueAt: 1 } },
    { $limit: limit },
  ]).option({ id_project });
  return found.map(({ _id }) => ({ ...ofSubscription, ..._id }));
};

/** Enqueues the jobs that make a subscription's due deliveries. */
export const wakeSubscription = async (key: CircuitKey): Promise<void> => {
  for (const sequence of await findIdleSequences(key)) await enqueueDelivery(sequence);
};

/**
 * Returns a sequence of the subscription that no worker serves; null if there is none, or if the subscription uses all
 * slots of its receiver. The sequence is chosen at random from several, so that concurrent jobs rarely choose the same.
 */
export const findIdleSequence = async (key: CircuitKey, receiverSlots: number): Promise<DeliverySequence | null> => {
  const idle = await findIdleSequences(key, { limit: MAX_CANDIDATES, receiverSlots });
  return idle[Math.floor(Math.random() * idle.length)] ?? null;
};

/**
 * Returns the sequence that uses the slots that a delivery has released: one that waits for a slot, the delivery's own,
 * or another one of the same subscription. Returns null if there is none.
 */
export const nextSequence = async (delivery: DueDelivery, receiverSlots: number): Promise<DeliverySequence | null> =>
  (await findNext(QUEUE, delivery, receiverSlots)) ?? findIdleSequence(delivery, receiverSlots);

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

/**
 * Returns sequences with overdue deliveries, whose wake-up was lost or whose worker died. For each subscription,
 * returns at most as many as the receiver has slots.
 */
export const findOverdue = async (): Promise<DeliverySequence[]> => {
  const first = { $firstN: { n: WAKE_UPS, input: '$_id' } };
  const subscription = { id_project: '$_id.id_project', subscription: '$_id.subscription' };
  const key = { id_project: '$id_project', subscription: '$subscription' };
  const found = await WebhookDelivery.aggregate<{ sequences: DeliverySequence[] }>([
    { $match: { dueAt: { $lte: new Date() } } },
    { $group: { _id: { ...key, receiver: '$receiver', sequence: '$sequence' }, dueAt: { $min: '$dueAt' } } },
    { $sort: { dueAt: 1 } },
    { $group: { _id: subscription, sequences: first } },
  ]).option({ anyProject: true });
  return found.flatMap(({ sequences }) => sequences);
};
