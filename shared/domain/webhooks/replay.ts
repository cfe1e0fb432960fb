/** Replays the deliveries of a subscription. */
import { config } from '../../config.ts';
import { notFound } from '../../errors.ts';
import { Subscription } from '../../models/subscription.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { currentTime } from '../../time/clock.ts';
import type { CircuitKey } from './circuit.ts';
import { wakeSubscription } from './delivery-queue.ts';
import { receiverOf } from './open-deliveries.ts';

/** Selects deliveries of a subscription: a single one, or those created between two times; by default all. */
export interface ReplayRange {
  delivery?: string;
  after?: Date;
  before?: Date;
  /** Whether to select only deliveries that were given up. */
  failed?: boolean;
}

const rangeFilter = ({ delivery, after, before, failed }: ReplayRange) => ({
  ...(delivery && { _id: delivery }),
  ...((after || before) && { createdAt: { ...(after && { $gte: after }), ...(before && { $lt: before }) } }),
  ...(failed && { given_up: true }),
});

/**
 * Schedules finished deliveries again, to the current target, in order and with the same ids, and returns their number.
 * Open deliveries stay unchanged. Errors: 404 if `delivery` is unknown.
 */
export const replayDeliveries = async (
  { id_project, subscription }: CircuitKey,
  range: ReplayRange,
): Promise<number> => {
  const now = currentTime();
  const closed = { id_project, subscription, dueAt: { $exists: false }, ...rangeFilter(range) };
  const retryUntil = new Date(now.getTime() + config.WEBHOOK_RETRY_SECONDS * 1000);
  const target = (await Subscription.findOne({ id_project, _id: subscription }, { target: 1 }).lean())?.target ?? '';
  const { modifiedCount } = await WebhookDelivery.updateMany(closed, {
    $set: { dueAt: now, attemptsMade: 0, retryUntil, receiver: receiverOf(target) },
    $unset: { given_up: 1, error: 1, deliveredAt: 1, freesSequenceAt: 1 },
  });
  if (range.delivery && !(await WebhookDelivery.exists({ id_project, subscription, _id: range.delivery })))
    throw notFound('Delivery not found');
  await wakeSubscription({ id_project, subscription });
  return modifiedCount;
};
