/** Changes the open deliveries of a subscription, except those in progress. */
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import type { CircuitKey } from './circuit.ts';

/** Returns the filter for the open deliveries of a subscription that are not in progress. */
const idleFilter = ({ id_project, subscription }: CircuitKey) => ({
  ...{ id_project, subscription },
  dueAt: { $exists: true },
  holder: { $exists: false },
});

/** Gives up all open deliveries of a subscription. */
export const giveUpAll = async (key: CircuitKey, error: string): Promise<void> => {
  await WebhookDelivery.updateMany(idleFilter(key), {
    $set: { given_up: true, error },
    $unset: { dueAt: 1, waitingSince: 1 },
  });
};

/** Returns the receiver of a target: its host and port. */
export const receiverOf = (target: string): string => URL.parse(target)?.host ?? target;

/** Moves the open deliveries of a subscription to its new target. */
export const redirectDeliveries = async (key: CircuitKey, target: string): Promise<void> => {
  await WebhookDelivery.updateMany(idleFilter(key), { $set: { receiver: receiverOf(target) } });
};
