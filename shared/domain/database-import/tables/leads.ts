/** Leads, their custom properties, and segments. */
import { z } from 'zod';
import { Lead } from '../../../models/lead.ts';
import { PROPERTY_STATUS, Property } from '../../../models/property.ts';
import { FILTER_MATCHES, FILTER_OPERATORS, SEGMENT_STATUS, Segment } from '../../../models/segment.ts';
import {
  authoredFields,
  list,
  nonEmptyText,
  number,
  object,
  optional,
  text,
  withDefault,
  withTextIds,
} from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Leads. */
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

/** Custom properties of leads. */
export const properties: ImportTable = {
  model: Property,
  sources: ['properties'],
  fields: z.object({
    ...authoredFields,
    label: nonEmptyText(),
    name: nonEmptyText(),
    type: withDefault(text(), 'text'),
    status: withDefault(number(), PROPERTY_STATUS.active),
  }),
};

const filter = z.object({
  field: nonEmptyText(),
  operator: z.enum(FILTER_OPERATORS),
  value: z.unknown().transform(withTextIds),
});

/** Segments. */
export const segments: ImportTable = {
  model: Segment,
  sources: ['segments'],
  fields: z.object({
    ...authoredFields,
    name: nonEmptyText(),
    match: withDefault(z.enum(FILTER_MATCHES), 'all'),
    filters: list(filter),
    status: withDefault(number(), SEGMENT_STATUS.active),
  }),
};
