/** Updates the settings, language and attributes of bots, trashes bots, and restores them from the trash. */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { AppError } from '../../errors.ts';
import { emits } from '../../events.ts';
import { Bot, EXTERNAL_BOT_TYPE } from '../../models/bot.ts';
import { Intent } from '../../models/intent.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { isId } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { BOT_FIELDS, type BotKey, botNotFound, type BotSettings, NOT_A_COPY, read, type StoredBot } from './bots.ts';
import { freeSlug } from './slugs.ts';

const SLUG_TAKEN_CODE = 12_001;

const slugTakenError = (slug: string) =>
  new AppError(409, 'SLUG_TAKEN', `Slug already exists: ${slug}`).with({
    // Deployed clients read this message.
    body: { msg: 'Error updating object.', error_code: SLUG_TAKEN_CODE },
  });

const withTrashSuffix = (slug: string): string => `${slug}-trashed-${currentTimeMs()}`;
const withoutTrashSuffix = (slug: string): string => slug.replace(/-trashed-\d+$/, '');

/** Trashes or restores the intents of a bot, and sets or removes `trashedAt` of its published copies. */
const setTrashedAt = async ({ id_project, _id }: BotKey, trashedAt: Date | null, session: ClientSession) => {
  const update = trashedAt
    ? { $set: { trashed: true, trashedAt } }
    : { $set: { trashed: false }, $unset: { trashedAt } };
  await Intent.updateMany({ id_project, id_faq_kb: _id }, update, { session });
  const copyUpdate = trashedAt ? { $set: { trashedAt } } : { $unset: { trashedAt: 1 } };
  await Bot.updateMany({ id_project, root_id: _id }, copyUpdate, { session });
};

/** Trashes or restores the intents and copies of a bot, and returns the fields of the bot to set and to unset. */
const trashFields = async (before: StoredBot, trashed: boolean, session: ClientSession) => {
  const key = { id_project: before.id_project, _id: String(before._id) };
  const trashedAt = trashed ? currentTime() : null;
  await setTrashedAt(key, trashedAt, session);
  if (trashed) await recordAccessChange({ user: key._id }, session);
  const { slug = '', name } = before;
  const restored = () => freeSlug(key.id_project, withoutTrashSuffix(slug || name), session);
  const fields = { trashed, slug: trashed ? withTrashSuffix(slug ?? '') : await restored() };
  return trashedAt ? { set: { ...fields, trashedAt }, unset: {} } : { set: fields, unset: { trashedAt: 1 } };
};

const updateEvents = (before: StoredBot, trashed: boolean) =>
  trashed && !before.trashed ? emits('faqbot.update', ['faqbot.deleted', {}]) : emits('faqbot.update');

/**
 * Updates a bot. `trashed` moves the bot to the trash, or restores it. A new name does not change the slug. Errors: 404
 * for an unknown bot, 409 if another bot of the project has the slug.
 */
export const update = (
  { id_project, _id }: BotKey,
  { trashed, ...settings }: BotSettings & { trashed?: boolean },
): Promise<StoredBot> =>
  inTransaction(async (session) => {
    const filter = { id_project, _id, ...NOT_A_COPY };
    const before = isId(_id) ? ((await Bot.findOne(filter, BOT_FIELDS, { session }).lean()) as StoredBot | null) : null;
    if (!before || (before.trashed && trashed !== false)) throw botNotFound(id_project, _id);
    const isMoved = trashed !== undefined && trashed !== before.trashed;
    const { set, unset } = isMoved ? await trashFields(before, trashed, session) : { set: {}, unset: {} };
    const { slug, type } = settings;
    if (slug && (await Bot.exists({ id_project, slug, _id: { $ne: _id } }).session(session)))
      throw slugTakenError(slug);
    const changes = { ...set, ...settings, ...(type && { external: type === EXTERNAL_BOT_TYPE }), modified: true };
    const options = {
      session,
      returnDocument: 'after',
      projection: BOT_FIELDS,
      ...updateEvents(before, trashed ?? false),
    };
    const updated = Bot.findOneAndUpdate({ id_project, _id }, { $set: changes, $unset: unset }, options as object);
    return await updated.orFail(botNotFound(id_project, _id)).lean();
  });

/** Sets the language of a bot and of all its intents. Errors: 404 for an unknown bot. */
export const setLanguage = async (key: BotKey, language: string): Promise<StoredBot> =>
  inTransaction(async (session) => {
    const { id_project, _id } = key;
    const options = { session, returnDocument: 'after', projection: BOT_FIELDS, ...emits('faqbot.update') } as const;
    const changes = { $set: { language, modified: true }, $inc: { intents_version: 1 } };
    const updated = Bot.findOneAndUpdate({ ...key, trashed: false }, changes, options);
    const bot = await updated.orFail(botNotFound(id_project, _id)).lean();
    const intents = { id_project, id_faq_kb: _id };
    await Intent.updateMany(intents, { $set: { language } }, { session, ...emits('faq.update') });
    return bot;
  });

/** Merges the top-level keys of `attributes` into those of a bot. Errors: 404 for an unknown bot. */
export const mergeAttributes = async (key: BotKey, attributes: Record<string, unknown>): Promise<StoredBot> =>
  inTransaction(async (session) => {
    const before = await read(key.id_project, key._id, session);
    const options = { session, returnDocument: 'after', projection: BOT_FIELDS, ...emits('faqbot.update') } as const;
    const changes = { attributes: { ...before.attributes, ...attributes }, modified: true };
    return await Bot.findOneAndUpdate({ ...key }, { $set: changes }, options)
      .orFail(botNotFound(key.id_project, key._id))
      .lean();
  });
