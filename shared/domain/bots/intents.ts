/** Lists, reads, adds, updates and deletes the intents of bots. On the wire, an intent is a `faq`. */
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { runExclusive } from '../../concurrency/keyed-mutex.ts';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { AppError, notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { Bot, type BotView } from '../../models/bot.ts';
import { Intent, IntentView } from '../../models/intent.ts';
import { Outbox } from '../../models/outbox.ts';
import { enqueue } from '../../queue/queue.ts';
import { extractKeywords } from '../../search/words.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { BOT_FIELDS } from './bots.ts';
import { countIntentChange, type IntentFields, insertIntents, type IntentOwner } from './insert-intents.ts';

export type StoredIntent = z.input<typeof IntentView>;

/** The fields of an intent that a caller may set, and the `_id` of a new or existing intent. */
export type IntentChanges = IntentFields & { _id?: string };

/** Selects an intent by its `_id`, or by the bot and the `intent_id`. */
export type IntentSelector = { _id: string } | { bot: string; intent_id: string };

export const MAX_INTENTS = 3000;

/** The projection of an intent. */
export const INTENT_FIELDS = projectionOf(IntentView);

/** Builds the 404 for an unknown intent or bot. */
export const objectNotFound = () => notFound('Object not found.');
// Deployed clients read this message.
const deletedIntentNotFound = () => notFound('Error deleting object. The object does not exists.');

// Deployed clients read the message `Duplicate  intent_display_name.`.
const nameTakenError = () =>
  new AppError(409, 'ALREADY_EXISTS', 'Duplicate  intent_display_name.').with({
    body: { error: 'The bot has an intent with this `intent_display_name` or `intent_id`' },
  });

/**
 * Changes a bot's intents in a transaction, then enqueues a job that embeds new phrases. `botOf` returns the id of the
 * bot from the result of `work`. Throws 409 for a duplicate name or `intent_id`. Each change also updates the record of
 * the bot, so concurrent transactions conflict and are retried. This process therefore runs the changes to the intents
 * of a project one by one.
 */
export const changeIntents = async <T>(
  id_project: string,
  work: (session: ClientSession) => Promise<T>,
  botOf: (result: T) => string,
): Promise<T> => {
  try {
    const result = await runExclusive(`intents ${id_project}`, () => inTransaction(work));
    await enqueue('bulk.embed-phrases', { id_project, bot: botOf(result) });
    return result;
  } catch (error) {
    throw isDuplicateKey(error) ? nameTakenError() : error;
  }
};

/** Reads the language of a bot. Throws 404 for an unknown bot. */
export const findBotOfIntents = async (id_project: string, _id: string, session?: ClientSession) => {
  const filter = { id_project, _id, trashed: false };
  const bot = isId(_id) ? await Bot.findOne(filter, { language: 1 }, { session }).lean() : null;
  if (!bot) throw objectNotFound();
  return bot;
};

/** Throws 403 if a bot would have more intents than are allowed. */
export const assertIntentCount = (count: number): void => {
  if (count <= MAX_INTENTS) return;
  throw new AppError(403, 'LIMIT_REACHED', `A bot may have at most ${MAX_INTENTS} intents; delete unused ones first`);
};

/** The filter of a list of intents. */
export interface IntentFilter {
  bot?: string;
  /** Words that must all occur in the question. */
  text?: string;
  intent_display_name?: string;
  /** Returns only the intents that agents may see. */
  forAgents?: boolean;
}

/** The names of intents that are hidden from agents. */
const HIDDEN_FROM_AGENTS = ['start', 'defaultFallback'];

/** Lists intents, newest first, each with its bot in `faq_kb`. */
export const list = async (
  id_project: string,
  { bot, text, intent_display_name, forAgents }: IntentFilter,
  { skip, limit }: { skip: number; limit: number },
) => {
  const words = extractKeywords(text);
  const name = intent_display_name ?? (forAgents ? { $nin: HIDDEN_FROM_AGENTS } : undefined);
  const filter = {
    ...{ id_project, trashed: false },
    ...(bot && { id_faq_kb: bot }),
    ...(words.length && { keywords: { $all: words } }),
    ...(name && { intent_display_name: name }),
    ...(forAgents && { agents_available: { $ne: false } }),
  };
  const order = { createdAt: -1, _id: -1 } as const;
  const found = (await Intent.find(filter, INTENT_FIELDS, { sort: order, skip, limit }).lean()) as StoredIntent[];
  const ids = [...new Set(found.map(({ id_faq_kb }) => id_faq_kb))].filter(isId);
  const bots = (await Bot.find({ id_project, _id: { $in: ids } }, BOT_FIELDS).lean()) as z.input<typeof BotView>[];
  return found.map((intent) => ({ ...intent, faq_kb: bots.filter(({ _id }) => String(_id) === intent.id_faq_kb) }));
};

/** Returns all intents of a bot, sorted by name. */
export const listOfBot = async (id_project: string, bot: string, session?: ClientSession): Promise<StoredIntent[]> =>
  await Intent.find({ id_project, id_faq_kb: bot }, INTENT_FIELDS, { session }).sort({ intent_display_name: 1 }).lean();

const filterOf = (id_project: string, selector: IntentSelector) => {
  if ('_id' in selector) return isId(selector._id) ? { id_project, _id: selector._id } : null;
  return { id_project, id_faq_kb: selector.bot, intent_id: selector.intent_id };
};

/** Reads an intent that is not trashed. Throws the error that `missing` builds (default: 404) for an unknown intent. */
export const findIntent = async (
  id_project: string,
  selector: IntentSelector,
  { session, missing = objectNotFound }: { session?: ClientSession; missing?: () => AppError } = {},
): Promise<StoredIntent> => {
  const filter = filterOf(id_project, selector);
  const intent = filter && (await Intent.findOne({ ...filter, trashed: false }, INTENT_FIELDS, { session }).lean());
  if (!intent) throw missing();
  return intent;
};

/** Reads an intent. Errors: 404 for an unknown intent. */
export const read = (id_project: string, _id: string): Promise<StoredIntent> => findIntent(id_project, { _id });

/** Adds an intent in the bot's language within a transaction. Throws 403 if the bot would have too many intents. */
export const addIntent = async (owner: IntentOwner, fields: IntentChanges, session: ClientSession): Promise<void> => {
  const { id_project, bot } = owner;
  assertIntentCount((await Intent.countDocuments({ id_project, id_faq_kb: bot }, { session })) + 1);
  const { language: _, ...rest } = fields;
  await insertIntents(owner, [rest], session);
  await countIntentChange(owner, session, { modified: true });
};

/**
 * Adds an intent to a bot, in the bot's language. If the bot already has an intent with this `_id`, returns that intent
 * unchanged. Errors: 403 if the bot would have too many intents, 404 for an unknown bot, 409 if the bot has an intent
 * with the same name or `intent_id`.
 */
export const create = async (
  id_project: string,
  bot: string,
  fields: IntentChanges & { createdBy: string },
): Promise<StoredIntent> => {
  const { createdBy, _id = newId(), ...rest } = fields;
  if (await Intent.exists({ id_project, id_faq_kb: bot, _id })) return read(id_project, _id);
  const add = async (session: ClientSession) => {
    const { language } = await findBotOfIntents(id_project, bot, session);
    await addIntent({ id_project, bot, language, createdBy }, { ...rest, _id }, session);
    return findIntent(id_project, { _id }, { session });
  };
  return changeIntents(id_project, add, () => bot);
};

/** Sets fields of an intent within a transaction, and returns the intent. */
export const setFields = async (before: StoredIntent, changes: IntentFields, session: ClientSession) => {
  const { id_project, id_faq_kb: bot, _id } = before;
  const options = { session, returnDocument: 'after', projection: INTENT_FIELDS, ...emits('faq.update') } as const;
  const updated = await Intent.findOneAndUpdate({ id_project, _id }, { $set: changes }, options)
    .orFail(objectNotFound)
    .lean();
  await countIntentChange({ id_project, bot }, session, { modified: true });
  return updated as StoredIntent;
};

const botOfIntent = ({ id_faq_kb }: StoredIntent): string => id_faq_kb;

/** Updates an intent. Errors: 404 for an unknown intent, 409 if another intent of the bot has the new name. */
export const update = (id_project: string, selector: IntentSelector, changes: IntentFields): Promise<StoredIntent> =>
  changeIntents(
    id_project,
    async (session) => setFields(await findIntent(id_project, selector, { session }), changes, session),
    botOfIntent,
  );

/** Merges the top-level keys of `attributes` into those of an intent. Errors: 404 for an unknown intent. */
export const mergeAttributes = (
  id_project: string,
  selector: IntentSelector,
  attributes: Record<string, unknown>,
): Promise<StoredIntent> => {
  const merge = async (session: ClientSession) => {
    const before = await findIntent(id_project, selector, { session });
    return setFields(before, { attributes: { ...before.attributes, ...attributes } }, session);
  };
  return changeIntents(id_project, merge, botOfIntent);
};

/** Deletes intents of a project within a transaction, and emits `faq.delete` for each. */
export const deleteIntents = async (
  id_project: string,
  intents: StoredIntent[],
  session: ClientSession,
): Promise<void> => {
  await Intent.deleteMany({ id_project, _id: { $in: intents.map(({ _id }) => _id) } }, { session });
  const entries = intents.map((view) => ({ insertOne: { document: { id_project, record: String(view._id), view } } }));
  if (entries.length) await Outbox.bulkWrite(entries as never, { session, ...emits('faq.delete') });
};

/** Deletes an intent within a transaction, and returns the intent. */
export const removeIntent = async (intent: StoredIntent, session: ClientSession): Promise<StoredIntent> => {
  const { id_project, id_faq_kb: bot } = intent;
  await deleteIntents(id_project, [intent], session);
  await countIntentChange({ id_project, bot }, session, { modified: true });
  return intent;
};

/** Deletes an intent, and returns the deleted intent. Errors: 404 for an unknown intent. */
export const remove = (id_project: string, selector: IntentSelector): Promise<StoredIntent> => {
  const options = { missing: deletedIntentNotFound };
  return changeIntents(
    id_project,
    async (session) => removeIntent(await findIntent(id_project, selector, { session, ...options }), session),
    botOfIntent,
  );
};

/** Returns the ids and names of a project's bots that query the given knowledge base. */
export const listBotsAsking = async (id_project: string, namespace: string) => {
  const ids = await Intent.distinct('id_faq_kb', { id_project, 'actions.namespace': namespace, trashed: false });
  return Bot.find({ id_project, _id: { $in: ids.filter(isId) }, trashed: false }, { name: 1 })
    .sort({ _id: 1 })
    .lean();
};
