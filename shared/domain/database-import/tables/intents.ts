/** Imports intents. */
import { z } from 'zod';
import { Intent } from '../../../models/intent.ts';
import { authoredFields, flag, id, nonEmptyText, object, optional, text, withDefault } from '../fields.ts';
import { trashExpiry, trashFields } from './trash.ts';
import type { ImportTable } from '../import-table.ts';

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
      // If a document lacks these fields, they are derived from its id, so that a repeated import gives the same
      // record.
      record.intent_id ??= record._id;
      record.intent_display_name ??= (record._id as string).slice(-6);
    }
  },
};
