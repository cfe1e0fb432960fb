/** Stores a delivery for each event and each subscription to it. */
import { createHash } from 'node:crypto';
import { config } from '../../config.ts';
import { insertMissing } from '../../database/raw-write.ts';
import { INSTANCE } from '../../models/change.ts';
import { Subscription } from '../../models/subscription.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { currentTime } from '../../time/clock.ts';
import type { OrderedEvent } from '../events/listeners.ts';
import { findLoggedEvents } from '../events/logged-event.ts';
import { readCircuits } from './circuit.ts';
import { enqueueReceiver } from './delivery-queue.ts';
import { receiverOf } from './open-deliveries.ts';
import type { ReceiverKey } from './receiver-lease.ts';
import { hasVariants, type MessageFields, subscribedNames } from './subscribable-events.ts';

const ID_CHARACTERS = 32;

/** Returns the `webhook-id` of an event for a subscription. */
const deliveryId = (event: string, subscription: string): string =>
  `msg_${createHash('sha256').update(`${event} ${subscription}`).digest('hex').slice(0, ID_CHARACTERS)}`;

interface ActiveSubscription {
  id: string;
  id_project: string;
  event: string;
  target: string;
}

/** Returns the subscriptions that receive the events of a project: its own and the global ones. */
type SubscriptionLookup = (id_project: string) => ActiveSubscription[];

/** Reads the global subscriptions, and those of the events' projects, with one query. */
const findSubscriptions = async (events: OrderedEvent[]): Promise<SubscriptionLookup> => {
  const owners = [...new Set([INSTANCE, ...events.map(({ id_project }) => id_project)])];
  const active = { id_project: { $in: owners }, enabled: { $ne: false } };
  const found = await Subscription.find(active, { id_project: 1, event: 1, target: 1 }, { anyProject: true }).lean();
  const byOwner = Map.groupBy(
    found.map(({ _id, ...subscription }) => ({ id: String(_id), ...subscription })),
    ({ id_project }) => id_project,
  );
  return (id_project) => [...new Set([id_project, INSTANCE])].flatMap((owner) => byOwner.get(owner) ?? []);
};

const VARIANT_FIELDS = {
  ...{ 'payload.text': 1, 'payload.status': 1, 'payload.sender': 1, 'payload.channel.name': 1 },
  ...{ 'payload.request.first_text': 1, 'payload.request.lead.lead_id': 1, 'payload.request.channel.name': 1 },
  'payload.request.channelOutbound.name': 1,
} as const;

/** Finds, by event id, the message fields from which further names of an event are derived (see `hasVariants`). */
const findMessages = async (events: OrderedEvent[]): Promise<Map<string, MessageFields>> => {
  const ids = events.filter(({ event }) => hasVariants(event)).map(({ id }) => id);
  const found = await findLoggedEvents(ids, VARIANT_FIELDS);
  return new Map([...found].map(([id, { payload }]) => [id, (payload ?? {}) as MessageFields]));
};

/** Builds a delivery to store. */
const newDelivery = ({ id, id_project, target }: Omit<ActiveSubscription, 'event'>, event: OrderedEvent) => {
  const now = currentTime();
  return {
    _id: deliveryId(event.id, id),
    ...{ id_project, subscription: id, receiver: receiverOf(target), sequence: event.orderingKey },
    ...{ event: event.event, event_id: event.id, position: event.position, attemptsMade: 0, dueAt: now },
    retryUntil: new Date(now.getTime() + config.WEBHOOK_RETRY_SECONDS * 1000),
    ...{ createdAt: now, updatedAt: now, __v: 0 },
  };
};

/** If the circuit of a subscription is open, postpones the deliveries to it until the next probe is due. */
const postponeForCircuits = async (deliveries: ReturnType<typeof newDelivery>[]) => {
  const byOwner = Map.groupBy(deliveries, ({ id_project }) => id_project);
  const postponed = [...byOwner].map(async ([owner, own]) => {
    const circuits = await readCircuits(owner, [...new Set(own.map(({ subscription }) => subscription))]);
    return own.map((delivery) => ({
      ...delivery,
      dueAt: circuits.get(delivery.subscription)?.retryAt ?? delivery.dueAt,
    }));
  });
  return (await Promise.all(postponed)).flat();
};

const wakeUp = async (receivers: ReceiverKey[]): Promise<void> => {
  const keys = new Map(receivers.map((key) => [`${key.id_project} ${key.receiver}`, key]));
  for (const key of keys.values()) await enqueueReceiver(key);
};

/**
 * Stores the deliveries of a batch of events. Idempotent. Needs only one query if the projects of the events have no
 * subscriptions and there are no global ones.
 */
export const recordDeliveries = async (events: OrderedEvent[]): Promise<void> => {
  const subscriptionsTo = await findSubscriptions(events);
  const candidates = events.filter(({ id_project }) => subscriptionsTo(id_project).length);
  if (!candidates.length) return;
  const messages = await findMessages(candidates);
  const deliveries = candidates.flatMap((event) => {
    const names = subscribedNames(event.event, messages.get(event.id));
    const matching = subscriptionsTo(event.id_project).filter((each) => names.includes(each.event));
    return matching.map((subscription) => newDelivery(subscription, event));
  });
  if (!deliveries.length) return;
  const stored = await postponeForCircuits(deliveries);
  await insertMissing(WebhookDelivery, stored);
  await wakeUp(stored);
};
