/** One call of a bot's server, within ten seconds and under the guard of all our connections. */
import type { BotCall } from '#shared/domain/conversations/bot-calls.ts';
import { AppError } from '#shared/errors.ts';
import { FetchError, fetchGuarded } from '#shared/fetch.ts';

const LONGEST_MS = 10_000;
const MOST_BYTES = 65_536;

const mayPass = (status: number): boolean => status < 200 || status === 408 || status === 429 || status >= 500;

/** Another try may help against what passes; the rest is for whoever looks after the bot. */
const failed = (error: unknown): unknown =>
  error instanceof FetchError && error.transient ? new Error(error.message, { cause: error }) : error;

/** Send a message to a bot; `webhook-id` is the same in every try. Throws an AppError where trying again cannot help. */
export const postToBot = async ({ url, body }: BotCall, message: string): Promise<void> => {
  const options = { timeoutMs: LONGEST_MS, maxBytes: MOST_BYTES, cut: true, json: JSON.stringify(body) };
  const answer = await fetchGuarded(url, { ...options, headers: { 'webhook-id': message } }).catch((error) => {
    throw failed(error);
  });
  if (answer.status >= 200 && answer.status < 300) return;
  const text = `The bot answered ${answer.status}`;
  throw mayPass(answer.status) ? new Error(text) : new AppError(502, 'REFUSED_BY_BOT', text);
};
