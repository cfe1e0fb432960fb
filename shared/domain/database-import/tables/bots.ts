/** Bots and their intents. */
import { z } from 'zod';
import { BOT_TRASH_SECONDS, Bot, EXTERNAL_BOT_TYPE } from '../../../models/bot.ts';
import { Intent } from '../../../models/intent.ts';
import { isId } from '../../../wire/view.ts';
import {
  authoredFields,
  type Fields,
  flag,
  id,
  list,
  nonEmptyText,
  number,
  object,
  optional,
  text,
  time,
  withDefault,
} from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Returns when a trashed record is deleted. */
const trashExpiry = ({ trashedAt }: Fields): Date | undefined =>
  trashedAt instanceof Date ? new Date(trashedAt.getTime() + BOT_TRASH_SECONDS * 1000) : undefined;

const trashFields = { trashed: withDefault(flag(), false), trashedAt: optional(time()) };

/** Returns the id of the published copy: the last segment of the URL of a bot that has been published. */
const publishedCopyOf = ({ url, _id }: Fields): string | undefined => {
  const last = typeof url === 'string' ? url.split('/').at(-1) : undefined;
  return isId(last) && last !== _id ? last : undefined;
};

/** Bots and their published copies. */
export const bots: ImportTable = {
  model: Bot,
  sources: ['faq_kbs'],
  fields: z.object({
    ...authoredFields,
    ...trashFields,
    name: nonEmptyText(),
    description: optional(text()),
    type: withDefault(nonEmptyText(), 'internal'),
    subtype: optional(text()),
    url: optional(text()),
    language: withDefault(nonEmptyText(), 'en'),
    webhook_enabled: withDefault(flag(), false),
    webhook_url: optional(text()),
    attributes: optional(object()),
    slug: optional(nonEmptyText()),
    public: withDefault(flag(), false),
    certified: withDefault(flag(), false),
    mainCategory: optional(text()),
    intentsEngine: withDefault(text(), 'none'),
    tags: list(text()),
    certifiedTags: list(z.object({ name: optional(text()), color: optional(text()) })),
    score: withDefault(number(), 0),
    trained: withDefault(flag(), true),
    title: optional(text()),
    short_description: optional(text()),
    agents_available: withDefault(flag(), true),
    modified: optional(flag()),
    root_id: optional(id()),
    release_note: optional(text()),
    publishedBy: optional(text()),
    publishedAt: optional(time()),
    secret: nonEmptyText(),
  }),
  replaced: { external: 'follows from the type' },
  expiresAt: trashExpiry,
  complete: (batch) => {
    for (const { record } of batch) {
      record.external = record.type === EXTERNAL_BOT_TYPE;
      const copy = record.root_id ? undefined : publishedCopyOf(record);
      if (copy) record.published_id = copy;
    }
  },
};

/** Intents. */
export const intents: ImportTable = {
  model: Intent,
  sources: ['faqs'],
  fields: z.object({
    ...authoredFields,
    ...trashFields,
    id_faq_kb: id(),
    intent_id: optional(nonEmptyText()),
    intent_display_name: optional(nonEmptyText()),
    question: optional(text()),
    answer: optional(text()),
    reply: optional(object()),
    form: optional(object()),
    actions: optional(z.array(object())),
    attributes: optional(object()),
    enabled: withDefault(flag(), true),
    webhook_enabled: withDefault(flag(), false),
    topic: withDefault(text(), 'default'),
    status: withDefault(text(), 'live'),
    language: withDefault(text(), 'en'),
    agents_available: withDefault(flag(), true),
  }),
  expiresAt: trashExpiry,
  complete: (batch) => {
    for (const { record } of batch) {
      // A document without these names is identified by its id, so that a repeated import gives the same record.
      record.intent_id ??= record._id;
      record.intent_display_name ??= (record._id as string).slice(-6);
    }
  },
};
