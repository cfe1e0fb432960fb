/** Imports leads. */
import { z } from 'zod';
import { Lead } from '../../../models/lead.ts';
import { authoredFields, list, nonEmptyText, number, object, optional, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

export const leads: ImportTable = {
  model: Lead,
  sources: ['leads'],
  fields: z.object({
    ...authoredFields,
    lead_id: optional(nonEmptyText()),
    fullname: optional(text()),
    email: optional(text()),
    phone: optional(text()),
    company: optional(text()),
    note: optional(text()),
    streetAddress: optional(text()),
    city: optional(text()),
    region: optional(text()),
    zipcode: optional(text()),
    country: optional(text()),
    tags: list(text()),
    attributes: optional(object()),
    properties: optional(object()),
    status: withDefault(number(), 100),
  }),
  complete: (batch) => {
    for (const { record } of batch) record.lead_id ??= record._id;
  },
};
