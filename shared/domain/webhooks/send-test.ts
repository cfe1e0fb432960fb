import { newId } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { currentTime } from '../../time/clock.ts';
import { enqueueReceiver } from './delivery-queue.ts';
import { receiverOf } from './open-deliveries.ts';

/** A subscription to which a test is sent. */
interface TestedSubscription {
  _id: unknown;
  id_project: string;
  target: string;
  enabled?: boolean | null;
}

/**
 * Sends the test event `webhook.test` to a subscription, in a sequence of its own. Returns the id of the delivery; the
 * log of attempts contains the result. Errors: 409 for a disabled subscription.
 */
export const sendTest = async ({ _id, id_project, target, enabled }: TestedSubscription): Promise<string> => {
  if (enabled === false)
    throw new AppError(409, 'SUBSCRIPTION_DISABLED', 'The subscription is disabled; enable it first');
  const now = currentTime();
  const id = newId();
  const key = { id_project, receiver: receiverOf(target), subscription: String(_id), sequence: `test ${id}` };
  const delivery = `msg_test_${id}`;
  await WebhookDelivery.create([
    {
      _id: delivery,
      ...key,
      ...{ event: 'webhook.test', event_id: id, position: id, dueAt: now, retryUntil: now },
      test_payload: { text: 'This is a test', sentAt: now.toISOString() },
    },
  ]);
  await enqueueReceiver(key);
  return delivery;
};
