/** Posts the request of a webhook and measures its duration. */
import { config } from '../../config.ts';
import { postSigned } from '../outgoing-calls/post-signed.ts';
import type { AttemptResult } from './attempts.ts';
import type { DeliveryRequest } from './delivery-request.ts';

const MAX_ANSWER_BYTES = 2048;

/** Limits of an attempt. A response longer than `maxBytes` is truncated. */
interface PostLimits {
  timeoutMs?: number;
  maxBytes?: number;
}

/** Posts the request of a webhook. Returns the response, or the error message if there is no response. */
export const postWebhook = async (
  { url, json, headers }: DeliveryRequest,
  { timeoutMs = config.WEBHOOK_TIMEOUT_SECONDS * 1000, maxBytes = MAX_ANSWER_BYTES }: PostLimits = {},
): Promise<AttemptResult> => {
  const started = performance.now();
  try {
    const answer = await postSigned({ url, json, headers, timeoutMs, maxBytes });
    const body = Buffer.from(answer.body).toString('utf8');
    return { status: answer.status, headers: answer.headers, body, durationMs: performance.now() - started };
  } catch (error) {
    return { err: (error as Error).message, durationMs: performance.now() - started };
  }
};
