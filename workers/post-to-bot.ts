/** Posts signed JSON to a bot's server. Refuses private addresses unless `FETCH_ALLOW` lists them. */
import type { OutgoingBotCall } from '#shared/domain/conversations/bots/bot-calls.ts';
import { isTransientStatus, postSigned } from '#shared/domain/outgoing-calls/post-signed.ts';
import { AppError } from '#shared/errors.ts';
import { FetchError } from '#shared/fetch/guarded-fetch.ts';
import { signedHeaders } from '#shared/security/sign-webhook.ts';

const CALL_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

/**
 * Converts a transient FetchError to a plain Error. A FetchError is an AppError, and a call that fails with an AppError
 * is not retried. Returns other errors unchanged.
 */
const toRetryable = (error: unknown): unknown =>
  error instanceof FetchError && error.transient ? new Error(error.message, { cause: error }) : error;

/**
 * Posts a call to a bot and returns the body of its response. The `webhook-id` header is the same in every attempt, so
 * that the bot can drop duplicates. Default timeout: 10 s. Throws an AppError if a retry cannot help, and a plain Error
 * otherwise.
 */
export const postToBot = async (
  { url, id, secret, body }: OutgoingBotCall,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<Uint8Array> => {
  const json = JSON.stringify(body);
  const headers = signedHeaders({ id, body: json, secrets: [secret] });
  const answer = await postSigned({ url, json, headers, timeoutMs, maxBytes: MAX_ANSWER_BYTES }).catch((error) => {
    throw toRetryable(error);
  });
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  const reason = `The bot answered with ${answer.status}`;
  throw isTransientStatus(answer.status) ? new Error(reason) : new AppError(502, 'BOT_REJECTED_CALL', reason);
};
