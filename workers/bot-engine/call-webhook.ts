/** Requests the reply of an intent from the fulfilment webhook of an internal bot. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type LoadedCall, messagePayload, tokenOf } from '#shared/domain/conversations/bots/bot-calls.ts';
import type { StoredIntent } from '#shared/domain/bots/intents.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { postToBot } from '../post-to-bot.ts';
import type { BotReply } from './build-replies.ts';

const TIMEOUT_MS = 5000;
/** Delays before the second and the third attempt. */
const RETRY_DELAYS_MS = [250, 1000];
const MAX_TEXT_CHARACTERS = 32_000;
const MAX_NAME_CHARACTERS = 200;
/** The line of an answer that requests fulfilment, optionally from a URL other than the bot's. */
const WEBHOOK_LINE = /^\\webhook(?::(https?:\/\/\S+))?\s*$/m;

const WebhookReply = z.object({
  text: z.string().min(1).max(MAX_TEXT_CHARACTERS),
  type: z.string().max(MAX_NAME_CHARACTERS).nullish(),
  attributes: FreeObject.nullish(),
  metadata: FreeObject.nullish(),
  language: z.string().max(MAX_NAME_CHARACTERS).nullish(),
});

/** The URL to call; undefined unless the bot allows webhooks and the intent or its answer requests one. */
const webhookUrl = ({ bot }: LoadedCall, intent: StoredIntent, answer: string): string | undefined => {
  const line = WEBHOOK_LINE.exec(answer);
  if (!bot.webhook_enabled || !(intent.webhook_enabled || line)) return undefined;
  return line?.[1] ?? bot.webhook_url ?? undefined;
};

const parseReply = (body: Uint8Array): BotReply | null => {
  const { text, type, attributes, metadata, language } = WebhookReply.parse(
    JSON.parse(Buffer.from(body).toString('utf8')),
  );
  return {
    text,
    type: type ?? undefined,
    attributes: attributes ?? undefined,
    metadata: metadata ?? undefined,
    language: language ?? undefined,
  };
};

const postWithRetries = async (request: Parameters<typeof postToBot>[0]): Promise<Uint8Array> => {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await postToBot(request, TIMEOUT_MS);
    } catch (error) {
      if (error instanceof AppError) throw error;
      await sleep(delayMs);
    }
  }
  return postToBot(request, TIMEOUT_MS);
};

/**
 * Posts the message and the intent to the webhook, and returns the reply that replaces the answer. Returns null if no
 * webhook is called or the call fails; the bot then sends the original answer. Every attempt has the same `webhook-id`.
 */
export const callWebhook = async (
  loaded: LoadedCall,
  intent: StoredIntent,
  answer: string,
): Promise<BotReply | null> => {
  const url = webhookUrl(loaded, intent, answer);
  if (!url) return null;
  const { bot, message, secret } = loaded;
  const { intents_version: _, published_id: __, ...hook } = bot;
  const payload = { text: answer, bot: hook, message: await messagePayload(loaded), intent };
  const request = { url, id: String(message._id), secret, body: { payload, token: tokenOf(loaded) } };
  try {
    return parseReply(await postWithRetries(request));
  } catch (error) {
    logger.warn({ err: error, id_project: bot.id_project, bot: String(bot._id) }, 'webhook of a bot failed');
    return null;
  }
};
