/** Bots: programs that take part in conversations. Each bot has its own secret, which signs its tokens. */
import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent, isDuplicateKey } from '../../database/unique-keys.ts';
import { notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { Bot, BotView, hasIntents, IDENTITY_BOT_TYPE, INTERNAL_BOT_TYPE } from '../../models/bot.ts';
import { Intent } from '../../models/intent.ts';
import { IntentVector } from '../../models/intent-vector.ts';
import { Outbox } from '../../models/outbox.ts';
import { extractKeywords } from '../../search/words.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { revokeTokens } from '../access/sessions.ts';
import { markDeleting } from '../files/remove-file.ts';
import { avatarPath } from '../files/upload-file.ts';
import { insertIntents } from './insert-intents.ts';
import { freeSlug } from './slugs.ts';
import { templateIntents } from './templates.ts';

/** A bot as it is stored, without its secret. */
export type StoredBot = z.input<typeof BotView>;

/** A bot by its project and id. */
export interface BotKey {
  id_project: string;
  _id: string;
}

/** The fields of a bot that a caller may set. */
export interface BotSettings {
  name?: string;
  description?: string;
  type?: string;
  subtype?: string;
  url?: string;
  language?: string;
  webhook_enabled?: boolean;
  webhook_url?: string;
  attributes?: Record<string, unknown>;
  slug?: string;
  public?: boolean;
  certified?: boolean;
  mainCategory?: string;
  intentsEngine?: string;
  tags?: string[];
  certifiedTags?: { name?: string; color?: string }[];
  trained?: boolean;
  title?: string;
  short_description?: string;
  agents_available?: boolean;
}

/** The projection of a bot without its secret. */
export const BOT_FIELDS = projectionOf(BotView);
/** Selects bots, but not their published copies, which are stored in the same collection and marked as trashed. */
export const NOT_A_COPY = { root_id: { $exists: false } } as const;
const MAX_SLUG_COLLISIONS = 10;

/** Builds the 404 for an unknown bot. */
export const botNotFound = (id_project: string, id: string) =>
  notFound(`Chatbot not found with id ${id} for project ${id_project}`);

/** Reads a bot that is not trashed. Throws 404 for an unknown bot. */
export const findBot = (
  { id_project, _id }: BotKey,
  fields: Partial<Record<keyof typeof BOT_FIELDS | 'secret', 1>>,
  session?: ClientSession,
) => {
  if (!isId(_id)) throw botNotFound(id_project, _id);
  const filter = { id_project, _id, trashed: false };
  return Bot.findOne(filter, fields, { session }).orFail(botNotFound(id_project, _id)).lean();
};

/** The filter of a list of bots. */
interface BotFilter {
  /** Includes the bot of type `identity`, which represents the project itself. */
  all?: boolean;
  /** Words that must all occur in the name, description or tags. */
  text?: string;
  language?: string;
  public?: boolean;
  certified?: boolean;
  /** Returns only the bots that agents may see. */
  forAgents?: boolean;
}

const hasWords = ({ name, description, tags }: StoredBot, words: string[]): boolean => {
  const keywords = new Set(extractKeywords(name, description, ...tags));
  return words.every((word) => keywords.has(word));
};

/** Lists the project's bots, newest first. Trashed bots and published copies are not listed. */
export const list = async (
  id_project: string,
  { all, text, language, public: isPublic, certified, forAgents }: BotFilter = {},
): Promise<StoredBot[]> => {
  const filter = {
    ...{ id_project, trashed: false },
    ...(!all && { type: { $ne: IDENTITY_BOT_TYPE } }),
    ...(language && { language }),
    ...(isPublic !== undefined && { public: isPublic }),
    ...(certified !== undefined && { certified }),
    ...(forAgents && { agents_available: { $ne: false } }),
  };
  const found = (await Bot.find(filter, BOT_FIELDS).sort({ createdAt: -1, _id: -1 }).lean()) as StoredBot[];
  const words = extractKeywords(text);
  return words.length ? found.filter((bot) => hasWords(bot, words)) : found;
};

/** Reads a bot, without its secret. Errors: 404 for an unknown bot. */
export const read = async (id_project: string, id: string, session?: ClientSession): Promise<StoredBot> =>
  await findBot({ id_project, _id: id }, BOT_FIELDS, session);

/** Returns the secret that signs a bot's tokens. Errors: 404 for an unknown bot. */
export const readSecret = async (id_project: string, id: string): Promise<string> => {
  const { secret } = await findBot({ id_project, _id: id }, { secret: 1 });
  return secret;
};

/** The creator of a new bot, and the template from which its intents are copied. */
interface NewBotOptions {
  createdBy: string;
  template?: string;
  /** The knowledge base that the bot queries. */
  namespace?: string;
  /** Emits no `faqbot.created`, so that no activity is recorded. */
  skipActivity?: boolean;
}

/** Inserts a bot with the intents of its template within a transaction. */
export const insertBot = async (
  { id_project, _id }: BotKey,
  { name, type = INTERNAL_BOT_TYPE, slug, ...settings }: BotSettings & { name: string },
  { createdBy, template, namespace, skipActivity, session }: NewBotOptions & { session: ClientSession },
): Promise<void> => {
  const language = settings.language ?? 'en';
  const bot = { ...settings, _id, id_project, name, type, language, public: false, certified: false, createdBy };
  const record = { ...bot, slug: await freeSlug(id_project, slug ?? name, session) };
  const events = skipActivity ? emits('faqbot.create') : emits('faqbot.create', ['faqbot.created', {}]);
  await Bot.create([record], { session, ...events });
  if (!hasIntents(type)) return;
  const intents = templateIntents({ subtype: settings.subtype, template, namespace });
  if (intents.length) await insertIntents({ id_project, bot: _id, language, createdBy }, intents, session);
};

/** Runs a transaction again if a concurrent call has taken the slug that the transaction chose. */
export const retryOnSlugCollision = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let retriesLeft = MAX_SLUG_COLLISIONS; ; retriesLeft--) {
    try {
      return await work();
    } catch (error) {
      if (!retriesLeft || !isSlugCollision(error)) throw error;
    }
  }
};

const isSlugCollision = (error: unknown): boolean =>
  isDuplicateKey(error) && 'slug' in ((error as { keyPattern?: object }).keyPattern ?? {});

/** Creates a bot with the intents of its template. Returns the bot with its secret, which `read` and `list` omit. */
export const create = async (id_project: string, settings: BotSettings & { name: string }, options: NewBotOptions) => {
  const key = { id_project, _id: newId() };
  const insert = () => inTransaction((session) => insertBot(key, settings, { ...options, session }));
  await insertIfAbsent(() => retryOnSlugCollision(insert));
  return findBot(key, { ...BOT_FIELDS, secret: 1 });
};

/**
 * Replaces a bot's secret, and returns the new secret. All tokens signed with the previous secret become invalid.
 * Errors: 404 for an unknown bot.
 */
export const renewSecret = (id_project: string, id: string): Promise<string> =>
  inTransaction(async (session) => {
    const secret = randomUUID();
    const filter = { id_project, _id: id, trashed: false };
    const { matchedCount } = isId(id)
      ? await Bot.updateOne(filter, { $set: { secret } }, { session })
      : { matchedCount: 0 };
    if (!matchedCount) throw botNotFound(id_project, id);
    await revokeTokens(id, session);
    return secret;
  });

/** Deletes the intents of bots, and the vectors of their phrases. */
export const deleteIntentsOfBots = async (
  id_project: string,
  bots: string[],
  session: ClientSession,
): Promise<void> => {
  await Intent.deleteMany({ id_project, id_faq_kb: { $in: bots } }, { session });
  await IntentVector.deleteMany({ id_project, bot: { $in: bots } }, { session });
};

/**
 * Permanently deletes a bot with its intents, published copies and avatar, and invalidates its tokens. A sweep deletes
 * the bytes of the avatar. Returns the deleted bot. Errors: 404 for an unknown bot.
 */
export const remove = (id_project: string, id: string): Promise<StoredBot> =>
  inTransaction(async (session) => {
    const filter = { id_project, _id: id, ...NOT_A_COPY };
    const deletion = { session, projection: BOT_FIELDS };
    const bot = isId(id) ? ((await Bot.findOneAndDelete(filter, deletion).lean()) as StoredBot | null) : null;
    if (!bot) throw botNotFound(id_project, id);
    const copies = await Bot.find({ id_project, root_id: id }, { _id: 1 }, { session }).lean();
    await deleteIntentsOfBots(id_project, [id, ...copies.map(({ _id }) => String(_id))], session);
    await Bot.deleteMany({ id_project, root_id: id }, { session });
    const events = emits('faqbot.delete', ['faqbot.deleted', {}]);
    await Outbox.create([{ id_project, record: id, view: bot }], { session, ...events });
    await recordAccessChange({ user: id }, session);
    await markDeleting({ id_project, path: avatarPath(id) }, session);
    return bot;
  });

/** Returns the automation rules of all bots of a project, oldest bot first. */
export const listRules = async (id_project: string): Promise<unknown[]> => {
  const filter = { id_project, trashed: false, 'attributes.rules': { $exists: true } };
  const bots = await Bot.find(filter, { 'attributes.rules': 1 })
    .sort({ _id: 1 })
    .lean<{ attributes?: { rules?: unknown } }[]>();
  return bots.flatMap(({ attributes }) => (Array.isArray(attributes?.rules) ? attributes.rules : []));
};
