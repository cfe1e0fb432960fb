/**
 * The queue of deliveries to subscriptions. The deliveries of a sequence are made in the order of their events: while a
 * delivery waits for its next attempt, later deliveries wait as well, but only until the `freesSequenceAt` of that
 * delivery.
 */
import { config } from '../../config.ts';
import type { Payload } from '../../jobs.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { enqueue } from '../../queue/queue.ts';
import { backoffMs } from '../../time/backoff.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { OPEN_CALL_FILTER } from '../outgoing-calls/call-queue.ts';
import type { CircuitKey } from './circuit.ts';
import type { ReceiverKey } from './receiver-lease.ts';

const RETRY_FACTOR = 4;
/** Maximum time for which a failed delivery holds back later deliveries of its sequence. */
const MAX_HOLD_MS = 60_000;

/** An open delivery. A delivery that others wait for (see `findBlockers`) may not be due yet. */
export interface DueDelivery extends ReceiverKey {
  /** The `webhook-id`. */
  _id: string;
  subscription: string;
  /** The conversation or the record whose deliveries to the same subscription are made in order. */
  sequence: string;
  event: string;
  event_id: string;
  position: string;
  test_payload?: object;
  dueAt: Date;
  /** The number of attempts whose results are recorded. */
  attemptsMade: number;
  freesSequenceAt?: Date;
  retryUntil: Date;
}

/**
 * Enqueues, with a delay of `delayMs`, the job that makes the deliveries to a receiver. Enqueues nothing for a delay
 * longer than the sweep interval, because the sweep finds due deliveries. The payload of a delayed job contains the
 * time of the job, so that the job does not count as a duplicate of an immediate job.
 */
export const enqueueReceiver = async ({ id_project, receiver }: ReceiverKey, delayMs = 0): Promise<void> => {
  if (delayMs > config.SWEEP_INTERVAL_SECONDS * 1000) return;
  const second = delayMs > 0 ? Math.ceil((currentTimeMs() + delayMs) / 1000) : undefined;
  const payload = { id_project, receiver, ...(second && { second }) } satisfies Payload<'webhooks.deliver'>;
  await enqueue('webhooks.deliver', payload, Math.max(0, delayMs));
};

/** Enqueues the job that makes the deliveries of a subscription. */
export const wakeSubscription = async ({ id_project, subscription }: CircuitKey): Promise<void> => {
  const open = { id_project, subscription, ...OPEN_CALL_FILTER };
  const delivery = await WebhookDelivery.findOne(open, { receiver: 1 }).lean();
  if (delivery) await enqueueReceiver({ id_project, receiver: delivery.receiver });
};

/** Deliveries that a search leaves out. */
interface Exclusions {
  ids: string[];
  subscriptions: string[];
  sequences: string[];
}

/**
 * Returns due deliveries to a receiver, beginning with those that have been due longest; deliveries that became due at
 * the same time are in the order of their events.
 */
export const findDue = (
  { id_project, receiver }: ReceiverKey,
  { ids, subscriptions, sequences }: Exclusions,
  limit: number,
): Promise<DueDelivery[]> =>
  WebhookDelivery.find({
    ...{ id_project, receiver, dueAt: { $lte: currentTime() }, _id: { $nin: ids } },
    ...(subscriptions.length && { subscription: { $nin: subscriptions } }),
    ...(sequences.length && { sequence: { $nin: sequences } }),
  })
    .sort({ dueAt: 1, position: 1 })
    .limit(limit)
    .lean<DueDelivery[]>();

/** Returns the key that the deliveries of one sequence to one subscription share. */
export const sequenceKey = ({ subscription, sequence }: Pick<DueDelivery, 'subscription' | 'sequence'>): string =>
  `${subscription} ${sequence}`;

/**
 * Returns, for the key of each delivery in `due` (see `sequenceKey`), the earliest open delivery with this key that is
 * neither in `due` nor in `ids` (the deliveries that the caller already has). Callers must compare its position with
 * those of the deliveries in `due` that have the same key, because it may follow them. One that follows all deliveries
 * in `due`, whatever their keys, is left out. So is a failed delivery that is not due, after its `freesSequenceAt`.
 */
export const findBlockers = async (due: DueDelivery[], ids: string[]): Promise<Map<string, DueDelivery>> => {
  const now = currentTime();
  const last = due.reduce((latest, { position }) => (position > latest ? position : latest), '');
  const unique = (field: 'id_project' | 'subscription' | 'sequence') => [...new Set(due.map((each) => each[field]))];
  const earlier = {
    ...{ id_project: due[0]?.id_project, subscription: { $in: unique('subscription') } },
    ...{ sequence: { $in: unique('sequence') }, position: { $lt: last }, ...OPEN_CALL_FILTER },
    _id: { $nin: [...ids, ...due.map(({ _id }) => _id)] },
    $nor: [{ freesSequenceAt: { $lte: now }, dueAt: { $gt: now } }],
  };
  const found = await WebhookDelivery.aggregate<{ first: DueDelivery }>([
    { $match: earlier },
    { $sort: { position: 1 } },
    { $group: { _id: { subscription: '$subscription', sequence: '$sequence' }, first: { $first: '$$ROOT' } } },
  ]);
  return new Map(found.map(({ first }) => [sequenceKey(first), first]));
};

/** Postpones deliveries until the earlier one that they wait for is due or stops holding them back. */
export const holdBack = async (deliveries: DueDelivery[], blocker: DueDelivery): Promise<void> => {
  const { id_project, dueAt, freesSequenceAt = dueAt } = blocker;
  const until = freesSequenceAt < dueAt ? freesSequenceAt : dueAt;
  const held = { id_project, _id: { $in: deliveries.map(({ _id }) => _id) }, ...OPEN_CALL_FILTER };
  await WebhookDelivery.updateMany(held, { $set: { dueAt: until } });
  await enqueueReceiver(blocker, until.getTime() - currentTimeMs());
};

/** Completes, with one command, deliveries of one project that the receiver has accepted. */
export const finishDeliveries = async (deliveries: DueDelivery[]): Promise<void> => {
  const [first] = deliveries;
  if (!first) return;
  const accepted = { id_project: first.id_project, _id: { $in: deliveries.map(({ _id }) => _id) } };
  await WebhookDelivery.updateMany(accepted, {
    $set: { deliveredAt: currentTime() },
    $inc: { attemptsMade: 1 },
    $unset: { dueAt: 1, error: 1, given_up: 1 },
  });
};

const openDelivery = ({ _id, id_project }: DueDelivery) => ({ _id, id_project, ...OPEN_CALL_FILTER });

export const giveUpDelivery = async (delivery: DueDelivery, error: string): Promise<void> => {
  const given = { $set: { error, given_up: true }, $inc: { attemptsMade: 1 }, $unset: { dueAt: 1 } } as const;
  await WebhookDelivery.updateOne(openDelivery(delivery), given);
};

/** Returns the time of the next attempt; null after the last one. */
const nextAttemptAt = (attemptsMade: number, retryUntil: Date, minDelayMs: number): Date | null => {
  if (attemptsMade >= config.WEBHOOK_ATTEMPTS && retryUntil <= currentTime()) return null;
  const delays = {
    baseMs: config.WEBHOOK_FIRST_RETRY_SECONDS * 1000,
    maxMs: config.WEBHOOK_MAX_RETRY_DELAY_SECONDS * 1000,
    factor: RETRY_FACTOR,
  };
  return new Date(currentTimeMs() + Math.max(minDelayMs, backoffMs(attemptsMade, delays)));
};

/**
 * Schedules the next attempt of a failed delivery, or gives up the delivery after its last attempt. `minDelayMs` is the
 * delay that the receiver requests.
 */
export const failDelivery = async (delivery: DueDelivery, error: string, minDelayMs = 0): Promise<void> => {
  const dueAt = nextAttemptAt(delivery.attemptsMade + 1, delivery.retryUntil, minDelayMs);
  if (!dueAt) return giveUpDelivery(delivery, error);
  const freesSequenceAt = delivery.freesSequenceAt ?? new Date(currentTimeMs() + MAX_HOLD_MS);
  const retry = { $set: { dueAt, error, freesSequenceAt }, $inc: { attemptsMade: 1 } };
  await WebhookDelivery.updateOne(openDelivery(delivery), retry);
  await enqueueReceiver(delivery, dueAt.getTime() - currentTimeMs());
};

/** Returns the receivers of due deliveries, whose wake-up may have been lost or whose worker may have died. */
export const findOverdue = async (): Promise<ReceiverKey[]> => {
  const found = await WebhookDelivery.aggregate<{ _id: ReceiverKey }>([
    { $match: { dueAt: { $lte: currentTime() } } },
    { $group: { _id: { id_project: '$id_project', receiver: '$receiver' } } },
  ]).option({ anyProject: true });
  return found.map(({ _id }) => _id);
};
