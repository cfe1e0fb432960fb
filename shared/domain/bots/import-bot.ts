/** Imports an exported bot as a new bot, or into an existing bot. An import that fails changes nothing. */
import type { ClientSession } from 'mongoose';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { AppError } from '../../errors.ts';
import { emits } from '../../events.ts';
import { Bot } from '../../models/bot.ts';
import { Intent } from '../../models/intent.ts';
import { enqueue } from '../../queue/queue.ts';
import { BOT_FIELDS, type BotKey, botNotFound, insertBot, read, retryOnSlugCollision, type StoredBot } from './bots.ts';
import { buildIntent, countIntentChange, type IntentFields, insertIntents } from './insert-intents.ts';
import { assertIntentCount, deleteIntents, listOfBot, type StoredIntent } from './intents.ts';
import type { ImportedBot } from './import-input.ts';

/** How an import treats the existing bot and its intents. */
export interface ImportOptions {
  /** Creates a bot instead of changing one. */
  create?: boolean;
  /** Deletes the bot's intents first. */
  replace?: boolean;
  /** Replaces existing intents with imported intents of the same name. By default, the existing intents are kept. */
  overwrite?: boolean;
  intentsOnly?: boolean;
  createdBy: string;
}

/** The changes that an import makes: the fields of the bot, and the names of the intents grouped by outcome. */
export interface ImportPlan {
  bot: Record<string, unknown>;
  intents: Record<'created' | 'replaced' | 'kept' | 'deleted', string[]>;
}

type Rule = { do?: { message?: { participants?: unknown[] } }[] };

/**
 * Returns the attributes of an imported bot. Its automation rules are changed to start `bot` instead of the exported
 * bot.
 */
const retargetRules = (attributes: Record<string, unknown> | undefined, bot: string) => {
  if (!Array.isArray(attributes?.rules)) return attributes;
  const rules = structuredClone(attributes.rules) as Rule[];
  for (const { do: [first] = [] } of rules) {
    const participants = first?.message?.participants;
    if (participants?.length) participants[0] = `bot_${bot}`;
  }
  return { ...attributes, rules };
};

/**
 * Returns the fields that an import sets on an existing bot. Ignores empty values, and attributes without automation
 * rules.
 */
const botChanges = (imported: ImportedBot, bot: string, { intentsOnly }: ImportOptions): Record<string, unknown> => {
  if (intentsOnly) return {};
  const { webhook_enabled, webhook_url, language, name, description, attributes } = imported;
  const hasRules = Array.isArray(attributes?.rules) && attributes.rules.length > 0;
  const fields = {
    ...{ webhook_enabled, webhook_url, language, name, description },
    attributes: hasRules ? retargetRules(attributes, bot) : undefined,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
};

const namesOf = (intents: { intent_display_name?: string }[]): string[] =>
  intents.map(({ intent_display_name = '' }) => intent_display_name);

/** Groups the imported intents by outcome. */
const planIntents = (imported: IntentFields[], existing: StoredIntent[], { replace, overwrite }: ImportOptions) => {
  const kept = replace ? [] : existing;
  const byName = new Map(kept.map((intent) => [intent.intent_display_name, intent]));
  const ids = new Set(kept.map(({ intent_id }) => intent_id));
  const matches = imported.filter(({ intent_display_name = '' }) => byName.has(intent_display_name));
  const created = imported.filter(({ intent_display_name = '' }) => !byName.has(intent_display_name));
  return {
    // A new intent gets a new `intent_id` if another intent of the bot already has the imported one.
    created: created.map(({ intent_id, ...fields }) =>
      intent_id && !ids.has(intent_id) ? { intent_id, ...fields } : fields,
    ),
    replaced: overwrite
      ? matches.map((fields) => ({ fields, before: byName.get(fields.intent_display_name ?? '') as StoredIntent }))
      : [],
    kept: overwrite ? [] : matches,
    deleted: replace ? existing : [],
  };
};

type IntentPlan = ReturnType<typeof planIntents>;

const reportOf = (bot: Record<string, unknown>, { created, replaced, kept, deleted }: IntentPlan): ImportPlan => ({
  bot,
  intents: {
    created: namesOf(created),
    replaced: replaced.map(({ before }) => before.intent_display_name),
    kept: namesOf(kept),
    deleted: namesOf(deleted),
  },
});

/** Returns the write that replaces an intent with an imported one. The record keeps its `_id`. */
const replacementOf = (
  owner: Parameters<typeof buildIntent>[0],
  { fields, before }: IntentPlan['replaced'][number],
) => {
  const {
    _id: _,
    createdAt: _createdAt,
    createdBy: _createdBy,
    __v,
    intent_id,
    ...others
  } = buildIntent(owner, fields);
  const rest = fields.intent_id ? { ...others, intent_id } : others;
  const absent = ['question', 'answer', 'reply', 'form', 'actions', 'attributes'].filter((name) => !(name in rest));
  const $unset = Object.fromEntries(absent.map((name) => [name, 1]));
  const { id_project } = owner;
  return { updateOne: { filter: { id_project, _id: before._id }, update: { $set: rest, $unset } } };
};

const writeIntents = async (owner: Parameters<typeof buildIntent>[0], plan: IntentPlan, session: ClientSession) => {
  if (plan.deleted.length) await deleteIntents(owner.id_project, plan.deleted, session);
  const replacements = plan.replaced.map((replacement) => replacementOf(owner, replacement));
  if (replacements.length)
    await Intent.bulkWrite(replacements as never, { session, timestamps: false, ...emits('faq.update') });
  if (plan.created.length) await insertIntents(owner, plan.created, session);
  await countIntentChange(owner, session, { modified: true });
};

const planImport = async (
  key: BotKey,
  imported: ImportedBot,
  { session, ...options }: ImportOptions & { session?: ClientSession },
) => {
  const before = await read(key.id_project, key._id, session);
  const existing = await listOfBot(key.id_project, key._id, session);
  const plan = planIntents(imported.intents, existing, options);
  assertIntentCount(existing.length - plan.deleted.length + plan.created.length);
  return { before, plan, changes: botChanges(imported, key._id, options) };
};

const importIntoBot = (key: BotKey, imported: ImportedBot, options: ImportOptions): Promise<StoredBot> =>
  inTransaction(async (session) => {
    const { before, plan, changes } = await planImport(key, imported, { ...options, session });
    const { id_project, _id: bot } = key;
    const language = (changes.language as string | undefined) ?? before.language;
    await writeIntents({ id_project, bot, language, createdBy: options.createdBy }, plan, session);
    const update = { session, returnDocument: 'after', projection: BOT_FIELDS, ...emits('faqbot.update') } as const;
    return await Bot.findOneAndUpdate({ ...key }, { $set: changes }, update)
      .orFail(botNotFound(id_project, bot))
      .lean();
  });

const importAsNew = (id_project: string, imported: ImportedBot, { createdBy }: ImportOptions): Promise<StoredBot> => {
  const key = { id_project, _id: newId() };
  const { intents, name = 'Bot', attributes, ...settings } = imported;
  const bot = { ...settings, name, attributes: retargetRules(attributes, key._id) };
  return retryOnSlugCollision(() =>
    inTransaction(async (session) => {
      await insertBot(key, bot, { createdBy, template: 'empty', session });
      const owner = { id_project, bot: key._id, language: imported.language ?? 'en', createdBy };
      if (intents.length) await insertIntents(owner, intents, session);
      return read(id_project, key._id, session);
    }),
  );
};

const duplicateError = () =>
  new AppError(409, 'ALREADY_EXISTS', 'Two intents would have the same name or `intent_id`; nothing was imported').with(
    {
      // Deployed clients read this message.
      body: { success: false, message: 'Error updating chatbot' },
    },
  );

/**
 * Imports an exported bot and returns the resulting bot. Errors: 403 if the bot would have too many intents, 404 for an
 * unknown bot, 409 if two intents would have the same name or `intent_id`.
 */
export const importBot = async (key: BotKey, imported: ImportedBot, options: ImportOptions): Promise<StoredBot> => {
  try {
    const bot = options.create
      ? await importAsNew(key.id_project, imported, options)
      : await importIntoBot(key, imported, options);
    await enqueue('bulk.embed-phrases', { id_project: key.id_project, bot: String(bot._id) });
    return bot;
  } catch (error) {
    throw isDuplicateKey(error) ? duplicateError() : error;
  }
};

/**
 * Returns the changes that an import would make, without making them. Errors: 403 if the bot would have too many
 * intents, 404 for an unknown bot.
 */
export const planOf = async (key: BotKey, imported: ImportedBot, options: ImportOptions): Promise<ImportPlan> => {
  if (options.create) {
    const { intents, ...bot } = imported;
    return reportOf(bot, planIntents(intents, [], options));
  }
  const { plan, changes } = await planImport(key, imported, options);
  return reportOf(changes, plan);
};
