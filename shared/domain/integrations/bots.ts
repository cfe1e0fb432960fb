/** Bots: programs that take part in conversations. Each bot has its own secret, which signs its tokens. */
import { randomUUID } from 'node:crypto';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { notFound } from '../../errors.ts';
import { Bot, BotView } from '../../models/bot.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { revokeTokens } from '../access/sessions.ts';

const BOT_FIELDS = projectionOf(BotView);

const botNotFound = (id_project: string, id: string) => () =>
  notFound(`Chatbot not found with id ${id} for project ${id_project}`);

const findBot = (id_project: string, _id: string, fields: Partial<Record<keyof typeof BOT_FIELDS | 'secret', 1>>) => {
  if (!isId(_id)) throw botNotFound(id_project, _id)();
  return Bot.findOne({ id_project, _id, trashed: false }, fields).orFail(botNotFound(id_project, _id)).lean();
};

/** Lists the project's bots, newest first. */
export const list = (id_project: string) =>
  Bot.find({ id_project, trashed: false }, BOT_FIELDS).sort({ createdAt: -1, _id: -1 }).lean();

/** Reads a bot, without its secret. Errors: 404 for an unknown bot. */
export const read = async (id_project: string, id: string) => findBot(id_project, id, BOT_FIELDS);

/** Returns the secret that signs a bot's tokens. Errors: 404 for an unknown bot. */
export const readSecret = async (id_project: string, id: string): Promise<string> => {
  const { secret } = await findBot(id_project, id, { secret: 1 });
  return secret;
};

/** Creates a bot and returns it with its secret, which no later read returns. */
export const create = async (
  id_project: string,
  bot: { name: string; type: string; url?: string },
  createdBy: string,
) => {
  const _id = newId();
  await insertIfAbsent(() => Bot.create([{ _id, id_project, ...bot, createdBy }]));
  return findBot(id_project, _id, { ...BOT_FIELDS, secret: 1 });
};

/**
 * Replaces a bot's secret and returns the new one. All tokens signed with the former secret become invalid.
 * Errors: 404 for an unknown bot.
 */
export const renewSecret = (id_project: string, id: string): Promise<string> =>
  inTransaction(async (session) => {
    const secret = randomUUID();
    const filter = { id_project, _id: id, trashed: false };
    const { matchedCount } = isId(id)
      ? await Bot.updateOne(filter, { $set: { secret } }, { session })
      : { matchedCount: 0 };
    if (!matchedCount) throw botNotFound(id_project, id)();
    await revokeTokens(id, session);
    return secret;
  });

/** Deletes a bot permanently and invalidates its tokens. Errors: 404 for an unknown bot. */
export const remove = (id_project: string, id: string) =>
  inTransaction(async (session) => {
    const bot = isId(id)
      ? await Bot.findOneAndDelete({ id_project, _id: id }, { session, projection: BOT_FIELDS }).lean()
      : null;
    if (!bot) throw botNotFound(id_project, id)();
    await recordAccessChange({ user: id }, session);
    return bot;
  });
