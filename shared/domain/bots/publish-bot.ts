/**
 * Publishes bots. A published copy is a separate bot record with copies of the intents. It answers visitors while the
 * bot itself is edited. In conversations in draft mode (opened on a page whose URL contains `td_draft=true`), the bot
 * itself answers.
 */
import type { ClientSession } from 'mongoose';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { Bot, INTERNAL_BOT_TYPE } from '../../models/bot.ts';
import { Intent } from '../../models/intent.ts';
import { User } from '../../models/user.ts';
import { currentTime } from '../../time/clock.ts';
import { omitFields } from '../../wire/omit-fields.ts';
import { isId } from '../../wire/view.ts';
import { BOT_FIELDS, type BotKey, deleteIntentsOfBots, findBot, read, type StoredBot } from './bots.ts';
import { type IntentFields, insertIntents } from './insert-intents.ts';
import { listOfBot, type StoredIntent } from './intents.ts';

/** Maximum number of published copies that are kept per bot. */
const MAX_COPIES = 20;
const MAX_LISTED = 100;

/** Fields that every record has, and that are not copied. */
const RECORD_FIELDS = ['_id', 'trashed', 'trashedAt', 'createdBy', 'createdAt', 'updatedAt', '__v'] as const;
/** The fields that only a published copy has. */
const PUBLICATION_FIELDS = ['root_id', 'release_note', 'publishedBy', 'publishedAt'] as const;

const intentFieldsOf = (intent: StoredIntent) =>
  omitFields(intent, [...RECORD_FIELDS, 'id_project', 'id_faq_kb']) as IntentFields;

/** Inserts copies of intents into another bot within a transaction. The copies keep the `intent_id`. */
export const copyIntents = async (
  intents: StoredIntent[],
  owner: Parameters<typeof insertIntents>[0],
  session: ClientSession,
): Promise<void> => {
  if (intents.length) await insertIntents(owner, intents.map(intentFieldsOf), session);
};

/** Returns the settings of a bot that are copied. */
export const settingsOf = (bot: StoredBot) =>
  omitFields(bot, [...RECORD_FIELDS, ...PUBLICATION_FIELDS, 'id_project', 'slug', 'modified']);

/** Deletes the oldest published copies of a bot, so that at most `MAX_COPIES` remain. */
const deleteOldCopies = async ({ id_project, _id }: BotKey, session: ClientSession): Promise<void> => {
  const page = { session, sort: { publishedAt: -1, _id: -1 }, skip: MAX_COPIES } as const;
  const old = (await Bot.find({ id_project, root_id: _id }, { _id: 1 }, page).lean()).map((bot) => String(bot._id));
  if (!old.length) return;
  await deleteIntentsOfBots(id_project, old, session);
  await Bot.deleteMany({ id_project, _id: { $in: old } }, { session });
};

/**
 * Returns the URL of a published external bot. If the last segment of the URL is an id, the id of the copy replaces it.
 */
const urlOfCopy = ({ url, root_id, _id }: StoredBot, copy: string): string | undefined => {
  const last = url?.split('/').at(-1);
  return last === String(_id) || (last && isId(last) && !root_id) ? url?.replace(/[^/]*$/, copy) : (url ?? undefined);
};

/** The release note of a publication, and the id of the person who publishes. */
interface Publication {
  release_note: string;
  publishedBy: string;
}

/** Publishes a bot, and returns the id of the copy. Errors: 404 for an unknown bot. */
export const publish = (key: BotKey, { release_note, publishedBy }: Publication): Promise<string> => {
  const copy = newId();
  return inTransaction(async (session) => {
    const { id_project, _id } = key;
    const bot = await read(id_project, _id, session);
    const own = { _id: copy, id_project, root_id: _id, trashed: true, createdBy: bot.createdBy };
    const published = { release_note, publishedBy, publishedAt: currentTime() };
    // This is a bulk write, to bypass the cap on bots: published copies do not count toward the cap.
    const document = { ...settingsOf(bot), ...own, ...published };
    await Bot.bulkWrite([{ insertOne: { document } }] as never, { session });
    const owner = { id_project, bot: copy, language: bot.language, createdBy: publishedBy };
    await copyIntents(await listOfBot(id_project, _id, session), owner, session);
    const url = bot.type === INTERNAL_BOT_TYPE ? undefined : urlOfCopy(bot, copy);
    const changes = { modified: false, published_id: copy, ...(url && { url }) };
    await Bot.updateOne(
      { id_project, _id },
      { $set: changes },
      { session, ...emits('faqbot.update', ['faqbot.publish', { publishedBotId: copy, release_note }]) },
    );
    await deleteOldCopies(key, session);
    return copy;
  });
};

/** Resets a bot to the settings and intents of one of its published copies. Errors: 404 for an unknown bot or copy. */
export const restore = (key: BotKey, copyId: string, createdBy: string): Promise<void> =>
  inTransaction(async (session) => {
    const { id_project, _id } = key;
    const bot = await read(id_project, _id, session);
    const filter = { id_project, _id: copyId, root_id: _id };
    const copy = isId(copyId)
      ? ((await Bot.findOne(filter, BOT_FIELDS, { session }).lean()) as StoredBot | null)
      : null;
    if (!copy) throw notFound(`restore_from: the bot has no published copy with id ${copyId}`);
    await Intent.deleteMany({ id_project, id_faq_kb: _id }, { session });
    const owner = { id_project, bot: _id, language: copy.language, createdBy };
    await copyIntents(await listOfBot(id_project, copyId, session), owner, session);
    const { url, ...settings } = settingsOf(copy);
    const changes = { ...settings, modified: true, ...(bot.type === INTERNAL_BOT_TYPE && url && { url }) };
    const options = { session, ...emits('faqbot.update') };
    await Bot.updateOne({ id_project, _id }, { $set: changes, $inc: { intents_version: 1 } }, options);
  });

/** Lists the published copies of a bot, newest first, each with the name and email address of its publisher. */
export const listPublished = async (key: BotKey) => {
  await findBot(key, { _id: 1 });
  const page = { sort: { publishedAt: -1, _id: -1 }, limit: MAX_LISTED } as const;
  const copies = (await Bot.find(
    { id_project: key.id_project, root_id: key._id },
    BOT_FIELDS,
    page,
  ).lean()) as StoredBot[];
  const ids = [...new Set(copies.map(({ publishedBy }) => publishedBy))].filter(isId);
  const people = await User.find({ _id: { $in: ids } }, { firstname: 1, lastname: 1, email: 1 }).lean();
  const byId = new Map(people.map((person) => [String(person._id), person]));
  return copies.map((copy) => ({ ...copy, publishedBy: byId.get(copy.publishedBy ?? '') }));
};
