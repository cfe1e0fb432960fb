/** Makes several changes to a bot's intents in one transaction. */
import type { ClientSession } from 'mongoose';
import { invalidField } from '../../errors.ts';
import { countIntentChange, type IntentFields, type IntentOwner, insertIntents } from './insert-intents.ts';
import {
  addIntent,
  assertIntentCount,
  changeIntents,
  findBotOfIntents,
  findIntent,
  type IntentChanges,
  type IntentSelector,
  listOfBot,
  objectNotFound,
  removeIntent,
  setFields,
} from './intents.ts';

/** One change to a bot's intents. */
export interface IntentOperation {
  type: 'post' | 'put' | 'patch' | 'delete';
  intent: IntentChanges;
}

/** Selects the intent that an operation changes: by its `intent_id`, or by its `_id` if the `intent_id` is missing. */
const selectorOf = (bot: string, { _id, intent_id }: IntentChanges, path: string): IntentSelector => {
  if (intent_id) return { bot, intent_id };
  if (_id) return { _id };
  throw invalidField(path, 'must have an `intent_id` or an `_id`');
};

const applyOperation = async (
  owner: IntentOwner,
  { type, intent }: IntentOperation,
  { index, session }: { index: number; session: ClientSession },
): Promise<void> => {
  if (type === 'post') return addIntent(owner, intent, session);
  const { id_project, bot } = owner;
  const selector = selectorOf(bot, intent, `operations.${index}.intent`);
  const before = await findIntent(id_project, selector, { session });
  if (before.id_faq_kb !== bot) throw objectNotFound();
  const { _id, intent_id: __, ...changes } = intent;
  if (type === 'delete') await removeIntent(before, session);
  else if (type === 'put') await setFields(before, changes, session);
  else await setFields(before, { attributes: { ...before.attributes, ...changes.attributes } }, session);
};

/**
 * Applies changes to a bot's intents in order. If one change fails, none is applied. Errors: those of a single change,
 * and 422 for a `put`, `patch` or `delete` without an `intent_id` or `_id`.
 */
export const applyOperations = (
  id_project: string,
  bot: string,
  { operations, createdBy }: { operations: IntentOperation[]; createdBy: string },
): Promise<void> => {
  const apply = async (session: ClientSession) => {
    const { language } = await findBotOfIntents(id_project, bot, session);
    const owner = { id_project, bot, language, createdBy };
    for (const [index, operation] of operations.entries()) await applyOperation(owner, operation, { index, session });
  };
  return changeIntents(id_project, apply, () => bot);
};

/**
 * Adds intents, and returns the number of intents added. An intent is skipped if the bot already has one with its name
 * or `intent_id`. Errors: 403 if the bot would have too many intents, 404 for an unknown bot.
 */
export const addMissing = (
  id_project: string,
  bot: string,
  { intents, createdBy }: { intents: IntentFields[]; createdBy: string },
): Promise<number> => {
  const add = async (session: ClientSession) => {
    const { language } = await findBotOfIntents(id_project, bot, session);
    const existing = await listOfBot(id_project, bot, session);
    const [names, ids] = [new Set<string>(), new Set<string>()];
    for (const intent of existing) {
      names.add(intent.intent_display_name);
      ids.add(intent.intent_id);
    }
    const missing = intents.filter(({ intent_display_name: name = '', intent_id: id = '' }) => {
      const isTaken = names.has(name) || ids.has(id);
      if (name) names.add(name);
      if (id) ids.add(id);
      return !isTaken;
    });
    assertIntentCount(existing.length + missing.length);
    if (missing.length) await insertIntents({ id_project, bot, language, createdBy }, missing, session);
    await countIntentChange({ id_project, bot }, session, { modified: true });
    return missing.length;
  };
  return changeIntents(id_project, add, () => bot);
};
