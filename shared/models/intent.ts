import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { searchKeywords } from '../database/plugins/search-keywords.ts';
import { extractKeywords } from '../search/words.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';
import { BOT_TRASH_SECONDS } from './bot.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The id of the bot. */
    id_faq_kb: { type: String, required: true },
    /** Unique in the bot, and preserved by export and import. */
    intent_id: { type: String, default: () => randomUUID() },
    /** Unique in the bot. */
    intent_display_name: { type: String, required: true },
    /** Training phrases, one per line. */
    question: String,
    /** The reply; may contain bot markup (docs/bots.md). */
    answer: String,
    reply: Schema.Types.Mixed,
    form: Schema.Types.Mixed,
    actions: { type: [Schema.Types.Mixed], default: undefined },
    attributes: Schema.Types.Mixed,
    enabled: { type: Boolean, default: true },
    webhook_enabled: { type: Boolean, default: false },
    topic: { type: String, default: 'default' },
    status: { type: String, default: 'live' },
    language: { type: String, default: 'en' },
    agents_available: { type: Boolean, default: false },
    trashed: { type: Boolean, default: false },
    trashedAt: Date,
    /** Search keywords of the question. */
    keywords: { type: [String], default: undefined, select: false },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
searchKeywords(schema, ({ question }) => (typeof question === 'string' ? { keywords: extractKeywords(question) } : {}));
schema.index({ id_project: 1, id_faq_kb: 1, intent_display_name: 1 }, { unique: true });
schema.index({ id_project: 1, id_faq_kb: 1, intent_id: 1 }, { unique: true });
schema.index({ id_project: 1, id_faq_kb: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, 'actions.namespace': 1 });
schema.index({ trashedAt: 1 }, { expireAfterSeconds: BOT_TRASH_SECONDS, sparse: true });

/**
 * Intents: what the visitors of a bot may want, with training phrases and replies. On the wire: `faq`. Contents of the
 * type `faq` are something else: questions with their answers.
 */
export const Intent = collection('intents', schema);

const AnyObject = z.record(z.string(), z.unknown());

/** An intent on the wire. */
export const IntentView = view('Intent', {
  _id: Id,
  id_project: z.string(),
  id_faq_kb: z.string().meta({ description: 'Id of the bot' }),
  intent_id: z.string(),
  intent_display_name: z.string(),
  question: optionalField(z.string()).meta({ description: 'Training phrases, one per line' }),
  answer: optionalField(z.string()),
  reply: optionalField(AnyObject),
  form: optionalField(AnyObject),
  actions: optionalField(z.array(AnyObject)),
  attributes: optionalField(AnyObject),
  enabled: z.boolean(),
  webhook_enabled: z.boolean(),
  topic: z.string(),
  status: z.string(),
  language: z.string(),
  agents_available: z.boolean(),
  trashed: z.boolean(),
  trashedAt: optionalField(Time),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
