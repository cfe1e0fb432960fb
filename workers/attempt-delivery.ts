/** Makes one attempt to deliver an event, and records its result. */
import { config } from '#shared/config.ts';
import { isTransientStatus } from '#shared/domain/outgoing-calls/post-signed.ts';
import { type AttemptResult, isSuccess, logAttempt } from '#shared/domain/webhooks/attempts.ts';
import { type Circuit, recordFailure, recordRejection, recordSuccess } from '#shared/domain/webhooks/circuit.ts';
import {
  type DueDelivery,
  failDelivery,
  finishDelivery,
  giveUpDelivery,
  wakeSubscription,
} from '#shared/domain/webhooks/delivery-queue.ts';
import { buildRequest } from '#shared/domain/webhooks/delivery-request.ts';
import type { StoredSubscription } from '#shared/domain/webhooks/active-subscription.ts';
import { giveUpAll } from '#shared/domain/webhooks/open-deliveries.ts';
import { disable } from '#shared/domain/webhooks/disable-subscription.ts';
import { postWebhook } from '#shared/domain/webhooks/post-webhook.ts';

const MAX_RETRY_AFTER_MS = 3_600_000;
const GONE = 410;

/** The delay in a `Retry-After` header, in milliseconds; 0 without one. */
const retryAfterMs = ({ headers }: AttemptResult): number => {
  const seconds = Number(headers?.['retry-after']);
  return seconds > 0 ? Math.min(seconds * 1000, MAX_RETRY_AFTER_MS) : 0;
};

const hasFailedForTooLong = ({ failingSince }: Circuit): boolean =>
  failingSince != null && failingSince.getTime() < Date.now() - config.WEBHOOK_DISABLE_AFTER_SECONDS * 1000;

const disableAndGiveUp = async (delivery: DueDelivery, reason: string): Promise<void> => {
  await disable(delivery.id_project, delivery.subscription, reason);
  await giveUpDelivery(delivery, reason);
  await giveUpAll(delivery, reason);
};

const recordResult = async (delivery: DueDelivery, circuit: Circuit, result: AttemptResult): Promise<void> => {
  if (isSuccess(result)) {
    await finishDelivery(delivery);
    if (await recordSuccess(delivery, circuit)) await wakeSubscription(delivery);
    return;
  }
  const { status, err } = result;
  const reason = err ?? `The receiver answered ${status}`;
  if (status === GONE) return disableAndGiveUp(delivery, 'The receiver answered 410');
  const isRejection = status !== undefined && !isTransientStatus(status);
  const after = isRejection ? await recordRejection(delivery, circuit) : await recordFailure(delivery);
  if (hasFailedForTooLong(after)) return disableAndGiveUp(delivery, `Every attempt has failed: ${reason}`);
  await failDelivery(delivery, reason, retryAfterMs(result));
  if (isRejection && circuit.retryAt) await wakeSubscription(delivery);
};

/** Makes one attempt: posts the event, logs the result, and completes, retries or gives up the delivery. */
export const attemptDelivery = async (
  delivery: DueDelivery,
  subscription: StoredSubscription,
  circuit: Circuit,
): Promise<void> => {
  const request = await buildRequest(delivery, subscription);
  if (!request) return giveUpDelivery(delivery, 'The event has expired from the changes log');
  const result = await postWebhook(request);
  await logAttempt(delivery, { url: request.url, json: request.loggedJson }, result);
  await recordResult(delivery, circuit, result);
};
