import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

/** Bots of this type run on the built-in engine. Bots of other types, except `identity`, are called at their `url`. */
export const INTERNAL_BOT_TYPE = 'internal';
/** The type of a bot that runs on an external engine for visual flows. The engine is called at the `url` of the bot. */
export const TILEBOT_TYPE = 'tilebot';
/** The type of a bot with a server of its own. */
export const EXTERNAL_BOT_TYPE = 'external';
/** The type of the bot that represents the project itself. Lists omit this bot. */
export const IDENTITY_BOT_TYPE = 'identity';
/** Whether bots of the given type have intents. */
export const hasIntents = (type: string): boolean => type === INTERNAL_BOT_TYPE || type === TILEBOT_TYPE;
/** How long a trashed bot and its intents are kept. */
export const BOT_TRASH_SECONDS = 30 * 86_400;

const CertifiedTagSchema = Schema.create({ name: String, color: String }, { _id: false });

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    description: String,
    type: { type: String, default: INTERNAL_BOT_TYPE },
    /** Whether the type is `external`. */
    external: {
      type: Boolean,
      default(this: { type?: string }) {
        return this.type === EXTERNAL_BOT_TYPE;
      },
    },
    subtype: String,
    url: String,
    language: { type: String, default: 'en' },
    webhook_enabled: { type: Boolean, default: false },
    webhook_url: String,
    attributes: Schema.Types.Mixed,
    /** Unique in the project; derived from the name. Absent for published copies. */
    slug: String,
    public: { type: Boolean, default: false },
    certified: { type: Boolean, default: false },
    mainCategory: String,
    intentsEngine: { type: String, default: 'none' },
    tags: { type: [String], default: [] },
    certifiedTags: { type: [CertifiedTagSchema], default: [] },
    score: { type: Number, default: 0 },
    trained: { type: Boolean, default: true },
    title: String,
    short_description: String,
    /** Whether agents see the bot. */
    agents_available: { type: Boolean, default: false },
    trashed: { type: Boolean, default: false },
    trashedAt: Date,
    /** Whether the bot has changed since it was last published. */
    modified: Boolean,
    /** For a published copy: the id of the original bot, and why, by whom and when it was published. */
    root_id: String,
    release_note: String,
    publishedBy: String,
    publishedAt: Date,
    /**
     * The key that signs the bot's tokens and the calls to the bot. Returned when the bot is created, and to admins on
     * request.
     */
    secret: { type: String, select: false, default: () => randomUUID() },
    /** Number of changes to the bot's intents; absent if there have been none. */
    intents_version: { type: Number, select: false },
    /** The id of the published copy that answers visitors. */
    published_id: { type: String, select: false },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, createdAt: -1 });
schema.index({ id_project: 1, slug: 1 }, { unique: true, partialFilterExpression: { slug: { $exists: true } } });
schema.index({ root_id: 1, publishedAt: -1 }, { partialFilterExpression: { root_id: { $exists: true } } });
schema.index({ trashedAt: 1 }, { expireAfterSeconds: BOT_TRASH_SECONDS, sparse: true });

/** Bots of a project, and their published copies. */
export const Bot = collection('bots', schema);

const AnyObject = z.record(z.string(), z.unknown());

/** A bot on the wire, without its secret. */
export const BotView = view('Bot', {
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  description: optionalField(z.string()),
  type: z.string().meta({
    description:
      '`internal`: built-in engine; bots of other types, except `identity`, are programs that are called at their `url`',
  }),
  external: z.boolean(),
  subtype: optionalField(z.string()),
  url: optionalField(z.string()),
  language: z.string(),
  webhook_enabled: z.boolean(),
  webhook_url: optionalField(z.string()),
  attributes: optionalField(AnyObject),
  slug: optionalField(z.string()),
  public: z.boolean(),
  certified: z.boolean(),
  mainCategory: optionalField(z.string()),
  intentsEngine: z.string(),
  tags: z.array(z.string()),
  certifiedTags: z.array(z.strictObject({ name: optionalField(z.string()), color: optionalField(z.string()) })),
  score: z.number(),
  trained: z.boolean(),
  title: optionalField(z.string()),
  short_description: optionalField(z.string()),
  agents_available: z.boolean(),
  trashed: z.boolean(),
  trashedAt: optionalField(Time),
  modified: optionalField(z.boolean()).meta({ description: 'Whether the bot has changed since it was last published' }),
  root_id: optionalField(z.string()).meta({ description: 'The bot that this published copy was made from' }),
  release_note: optionalField(z.string()),
  publishedBy: optionalField(z.string()),
  publishedAt: optionalField(Time),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
