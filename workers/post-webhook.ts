import { config } from '#shared/config.ts';
import { postSigned } from '#shared/domain/outgoing-calls/post-signed.ts';
import type { AttemptResult } from '#shared/domain/webhooks/attempts.ts';
import type { DeliveryRequest } from '#shared/domain/webhooks/delivery-request.ts';

const MAX_ANSWER_BYTES = 2048;

/** Posts the request of a delivery. Returns the response, or the error message if there is no response. */
export const postWebhook = async ({ url, json, headers }: DeliveryRequest): Promise<AttemptResult> => {
  const started = performance.now();
  const limits = { timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1000, maxBytes: MAX_ANSWER_BYTES };
  try {
    const answer = await postSigned({ url, json, headers, ...limits });
    const body = Buffer.from(answer.body).toString('utf8');
    return { status: answer.status, headers: answer.headers, body, durationMs: performance.now() - started };
  } catch (error) {
    return { err: (error as Error).message, durationMs: performance.now() - started };
  }
};
