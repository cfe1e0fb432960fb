/** Bots: programs that answer, each with a secret of its own. */
import { randomUUID } from 'node:crypto';
import { newId } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { Bot, BotView } from '../../models/bot.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { fieldsOf, isId } from '../../view.ts';
import { accessChanged } from '../access/access.ts';
import { tokensEnd } from '../access/credentials.ts';

const FIELDS = fieldsOf(BotView);

const missing = (id_project: string, id: string) => () =>
  notFound(`Chatbot not found with id ${id} for project ${id_project}`);

const find = (id_project: string, _id: string, fields: Partial<Record<keyof typeof FIELDS | 'secret', 1>>) => {
  if (!isId(_id)) throw missing(id_project, _id)();
  return Bot.findOne({ id_project, _id, trashed: false }, fields).orFail(missing(id_project, _id)).lean();
};

/** The project's bots, the latest first. */
export const list = (id_project: string) =>
  Bot.find({ id_project, trashed: false }, FIELDS).sort({ createdAt: -1, _id: -1 }).lean();

/** One bot, without its secret. */
export const read = async (id_project: string, id: string) => find(id_project, id, FIELDS);

/** The key that signs a bot's tokens. */
export const secretOf = async (id_project: string, id: string): Promise<string> => {
  const { secret } = await find(id_project, id, { secret: 1 });
  return secret;
};

/** Make a bot; its secret is told this once (decision 35). */
export const create = async (
  id_project: string,
  bot: { name: string; type: string; url?: string },
  createdBy: string,
) => {
  const _id = newId();
  await makeOnce(() => Bot.create([{ _id, id_project, ...bot, createdBy }]));
  return find(id_project, _id, { ...FIELDS, secret: 1 });
};

/** Give a bot another secret. Everything that was signed with the one before ends. */
export const renewSecret = (id_project: string, id: string): Promise<string> =>
  inTransaction(async (session) => {
    const secret = randomUUID();
    const mine = { id_project, _id: id, trashed: false };
    const { matchedCount } = isId(id)
      ? await Bot.updateOne(mine, { $set: { secret } }, { session })
      : { matchedCount: 0 };
    if (!matchedCount) throw missing(id_project, id)();
    await tokensEnd(id, session);
    return secret;
  });

/** Delete a bot for good: its tokens end with it. */
export const remove = (id_project: string, id: string) =>
  inTransaction(async (session) => {
    const bot = isId(id)
      ? await Bot.findOneAndDelete({ id_project, _id: id }, { session, projection: FIELDS }).lean()
      : null;
    if (!bot) throw missing(id_project, id)();
    await accessChanged({ user: id }, session);
    return bot;
  });
