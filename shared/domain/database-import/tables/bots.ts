/** Imports bots. */
import { z } from 'zod';
import { Bot, EXTERNAL_BOT_TYPE } from '../../../models/bot.ts';
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
import { trashExpiry, trashFields } from './trash.ts';
import type { ImportTable } from '../import-table.ts';

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
  replaced: { external: 'derived from the type' },
  expiresAt: trashExpiry,
  complete: (batch) => {
    for (const { record } of batch) {
      record.external = record.type === EXTERNAL_BOT_TYPE;
      const copy = record.root_id ? undefined : publishedCopyOf(record);
      if (copy) record.published_id = copy;
    }
  },
};
