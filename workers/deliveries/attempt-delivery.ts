/** Makes one attempt to deliver an event, and records its result. */
import { parseRetryAfterMs } from '#shared/time/retry-after.ts';
import { type AttemptResult, buildAttempt } from '#shared/domain/webhooks/attempts.ts';
import { type DueDelivery, failDelivery, giveUpDelivery } from '#shared/domain/webhooks/delivery-queue.ts';
import { buildRequest, type DeliveryRequest, type LoadedDelivery } from '#shared/domain/webhooks/delivery-request.ts';
import { postWebhook } from '#shared/domain/webhooks/post-webhook.ts';
import { type RecordedResult, reasonOf, recordResult } from '#shared/domain/webhooks/record-result.ts';
import { webhookAttempts, webhookDuration } from '#shared/metrics.ts';
import { inSpan } from '#shared/tracing.ts';
import type { ResultWriter } from './result-writer.ts';
import type { Target } from './targets.ts';

const MAX_RETRY_AFTER_MS = 3_600_000;

/** The subscription of a delivery, and the writer of its result. */
interface AttemptContext {
  target: Target;
  writer: ResultWriter;
}

/** The delay in a `Retry-After` header (seconds or a date), in milliseconds, at most an hour; 0 without one. */
const retryAfterMs = ({ headers }: AttemptResult): number =>
  parseRetryAfterMs(headers?.['retry-after'], { maxMs: MAX_RETRY_AFTER_MS }) ?? 0;

/** Records the result of an attempt for its subscription. While the circuit is open, only failures of probes count. */
const recordForTarget = async (
  delivery: DueDelivery,
  target: Target,
  result: AttemptResult,
): Promise<RecordedResult> => {
  const { circuit, isProbing } = target;
  const reason = reasonOf(result);
  if (reason && circuit.retryAt && !isProbing) return { outcome: 'failed', circuit, reason };
  const recorded = await recordResult(delivery, circuit, result);
  target.circuit = recorded.circuit;
  return recorded;
};

/** Posts a request in a trace span, whose parent is the span of the call that emitted the event. */
const postInSpan = (request: DeliveryRequest, { _id, event, loggedEvent }: LoadedDelivery): Promise<AttemptResult> => {
  const attributes = { 'webhook.id': _id, 'webhook.event': event, 'server.address': new URL(request.url).host };
  const newSpan = { name: `webhook ${event}`, kind: 'client', parent: loggedEvent?.actor?.trace, attributes } as const;
  return inSpan(newSpan, async (span) => {
    const endTimer = webhookDuration.startTimer();
    const result = await postWebhook(request);
    endTimer();
    const reason = reasonOf(result);
    span?.describe(newSpan.name, { 'http.response.status_code': result.status ?? 0, 'error.message': reason });
    if (reason) span?.fail(reason);
    return result;
  });
};

/**
 * Makes one attempt: posts the event, logs the result, and completes the delivery, schedules a retry or gives up
 * on the delivery. If the attempt failed, later deliveries of the sequence must wait.
 */
export const attemptDelivery = async (
  delivery: LoadedDelivery,
  { target, writer }: AttemptContext,
): Promise<RecordedResult['outcome']> => {
  const request = await buildRequest(delivery, target.subscription);
  if (!request) {
    await giveUpDelivery(delivery, 'The event has expired from the changes log');
    return 'failed';
  }
  const result = await postInSpan(request, delivery);
  const attempt = buildAttempt(delivery, { url: request.url, json: request.loggedJson }, result);
  const isAccepted = !reasonOf(result);
  writer.add(attempt, isAccepted ? delivery : undefined);
  if (!isAccepted) await writer.flush();
  const { outcome, reason } = await recordForTarget(delivery, target, result);
  webhookAttempts.inc({ outcome });
  if (outcome === 'failed') await failDelivery(delivery, reason, retryAfterMs(result));
  return outcome;
};
