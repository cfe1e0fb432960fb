/** Inserts intents of a bot, and increments the version of its intents. */
import { randomInt } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { Types } from 'mongoose';
import { newId, newUuid } from '../../context.ts';
import { emits } from '../../events.ts';
import { Bot } from '../../models/bot.ts';
import { Intent } from '../../models/intent.ts';
import { currentTime } from '../../time/clock.ts';
import { omitUndefined } from '../../wire/omit-fields.ts';

/** The fields of an intent that a caller may set. */
export interface IntentFields {
  intent_id?: string;
  intent_display_name?: string;
  question?: string;
  answer?: string;
  reply?: Record<string, unknown>;
  form?: Record<string, unknown>;
  actions?: Record<string, unknown>[];
  attributes?: Record<string, unknown>;
  enabled?: boolean;
  webhook_enabled?: boolean;
  topic?: string;
  status?: string;
  language?: string;
  agents_available?: boolean;
}

/** The bot to which intents are added, and the actor who adds them. */
export interface IntentOwner {
  id_project: string;
  bot: string;
  language: string;
  createdBy: string;
}

const NAME_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_NAME_LENGTH = 6;

const randomName = (): string =>
  Array.from({ length: RANDOM_NAME_LENGTH }, () => NAME_CHARACTERS[randomInt(NAME_CHARACTERS.length)]).join('');

/**
 * Increments the version of a bot's intents, within the transaction that changes the intents. Concurrent transactions
 * on the same bot therefore conflict, and run one after another.
 */
export const countIntentChange = async (
  { id_project, bot }: Pick<IntentOwner, 'id_project' | 'bot'>,
  session: ClientSession,
  changes: { modified?: boolean } = {},
): Promise<void> => {
  await Bot.updateOne({ id_project, _id: bot }, { $set: changes, $inc: { intents_version: 1 } }, { session });
};

/** Returns the complete record of a new intent. Without a name, the intent gets a random name. */
export const buildIntent = (
  { id_project, bot, language, createdBy }: IntentOwner,
  fields: IntentFields & { _id?: string },
) => {
  const now = currentTime();
  const defaults = { enabled: true, webhook_enabled: false, topic: 'default', status: 'live', agents_available: false };
  return {
    ...defaults,
    ...omitUndefined(fields),
    _id: new Types.ObjectId(fields._id ?? newId()),
    intent_id: fields.intent_id ?? newUuid(),
    intent_display_name: fields.intent_display_name ?? randomName(),
    ...{ id_project, id_faq_kb: bot, language: fields.language ?? language, trashed: false, createdBy },
    ...{ createdAt: now, updatedAt: now, __v: 0 },
  };
};

/**
 * Inserts intents of a bot within a transaction, and emits `faq.create` for each. Throws a duplicate-key error if the
 * bot has an intent with the same name or `intent_id`.
 */
export const insertIntents = async (
  owner: IntentOwner,
  intents: (IntentFields & { _id?: string })[],
  session: ClientSession,
): Promise<void> => {
  const operations = intents.map((fields) => ({ insertOne: { document: buildIntent(owner, fields) } }));
  await Intent.bulkWrite(operations as never, { session, timestamps: false, ...emits('faq.create') });
  await countIntentChange(owner, session);
};
