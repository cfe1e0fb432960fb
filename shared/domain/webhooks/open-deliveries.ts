/** Changes the open deliveries of a subscription. */
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { OPEN_CALL_FILTER } from '../outgoing-calls/call-queue.ts';
import type { CircuitKey } from './circuit.ts';

const openFilter = ({ id_project, subscription }: CircuitKey) => ({ id_project, subscription, ...OPEN_CALL_FILTER });

/** Gives up all open deliveries of a subscription. */
export const giveUpAll = async (key: CircuitKey, error: string): Promise<void> => {
  await WebhookDelivery.updateMany(openFilter(key), {
    $set: { given_up: true, error },
    $unset: { dueAt: 1 },
  });
};

/** Returns the receiver of a target: its host and port. */
export const receiverOf = (target: string): string => URL.parse(target)?.host ?? target;

/**
 * Assigns the open deliveries of a subscription to the receiver (host and port) of its new target. Each attempt reads
 * the URL from the subscription.
 */
export const redirectDeliveries = async (key: CircuitKey, target: string): Promise<void> => {
  await WebhookDelivery.updateMany(openFilter(key), { $set: { receiver: receiverOf(target) } });
};
