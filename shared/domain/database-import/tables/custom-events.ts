/** Imports custom events. */
import { z } from 'zod';
import { config } from '../../../config.ts';
import { CustomEvent } from '../../../models/custom-event.ts';
import { authoredFields, id, nonEmptyText, object, optional, text, withDefault } from '../fields.ts';
import { expiresAfter } from './expiry.ts';
import type { ImportTable } from '../import-table.ts';

export const customEvents: ImportTable = {
  model: CustomEvent,
  sources: ['events'],
  fields: z.object({
    ...authoredFields,
    name: nonEmptyText(),
    attributes: optional(object()),
    project_user: optional(id()),
    status: withDefault(text(), 'stardard'),
  }),
  expiresAt: expiresAfter(config.EVENT_TTL_SECONDS),
};
