/** Asks a bot a question outside a conversation, to test its intents. */
import { AppError, notFound } from '../../errors.ts';
import { Bot, hasIntents } from '../../models/bot.ts';
import { isId } from '../../wire/view.ts';
import type { BotKey } from './bots.ts';
import { matchIntents } from './matching/intent-matcher.ts';

const FIELDS_TO_MATCH = { type: 1, language: 1, intents_version: 1 } as const;
const MAX_HITS = 10;

/**
 * Returns the intents of a bot that match a question, best first, with their scores from 0 to 100. Errors: 400 for an
 * external bot, 404 for an unknown bot.
 */
export const ask = async ({ id_project, _id }: BotKey, question: string) => {
  const filter = { id_project, _id, trashed: false };
  const bot = isId(_id) ? await Bot.findOne(filter, FIELDS_TO_MATCH).lean() : null;
  if (!bot) throw notFound('Object not found.');
  // Deployed clients read this message.
  if (!hasIntents(bot.type)) throw new AppError(400, 'EXTERNAL_BOT', 'askbot on external bot.');
  const { language, intents_version: version = 0 } = bot;
  const hits = await matchIntents({ id_project, bot: _id, language, version: version ?? 0 }, question);
  return hits.slice(0, MAX_HITS).map(({ intent, score }) => ({ ...intent, score }));
};
