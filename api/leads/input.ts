/** Request bodies and queries for leads. */
import { z } from 'zod';
import { LeadFields, normalizePhone, Tags } from '#shared/domain/leads/lead-fields.ts';
import { LEAD_STATUS } from '#shared/models/lead.ts';
import { omitUndefined } from '#shared/wire/omit-fields.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { cursorQuery } from '../http/request/cursor.ts';
import { optional } from '#shared/wire/coercion.ts';
import { optionalInteger, pagingQuery } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const textFilter = (description: string) => z.string().max(INPUT_LIMITS.name).optional().meta({ description });

/** Query parameters for the list of leads. */
export const LeadsQuery = pagingQuery(['createdAt', 'updatedAt', 'fullname', 'email'], 40, {
  ...cursorQuery,
  email: z.string().max(INPUT_LIMITS.email).optional(),
  full_text: textFilter('Beginnings of words in the full name or the email address'),
  with_email: textFilter('Any value: only leads with an email address'),
  with_fullname: textFilter('Any value: only leads with a full name'),
  tags: textFilter('Only leads with this tag'),
  segment: textFilter('`_id` of a segment: only leads that it contains'),
  status: optionalInteger(0, LEAD_STATUS.deleted).meta({ description: 'Default 100 (normal); 1000: deleted' }),
});

/** Request body for a new lead; other fields are ignored. */
export const NewLead = z.object({
  lead_id: optional(LeadFields.lead_id),
  fullname: optional(LeadFields.fullname),
  email: optional(LeadFields.email),
  attributes: optional(LeadFields.attributes),
});

/** Request body for a lead update; absent and null fields are unchanged. */
export const LeadChange = NewLead.omit({ lead_id: true })
  .extend({
    status: optional(LeadFields.status),
    phone: optional(LeadFields.phone).meta({
      description:
        'Stored in international format if it has a country code, otherwise only its digits; a text without digits is stored unchanged',
    }),
    company: optional(LeadFields.company),
    note: optional(LeadFields.note),
    streetAddress: optional(LeadFields.streetAddress),
    city: optional(LeadFields.city),
    region: optional(LeadFields.region),
    zipcode: optional(LeadFields.zipcode),
    country: optional(LeadFields.country),
    tags: optional(LeadFields.tags),
  })
  .transform(omitUndefined);

/** Request body that adds tags. The endpoint rejects an empty list with 400. */
export const NewTags = Tags;

/** Request body that is merged into a stored object: each value replaces the stored value with the same key. */
export const FieldsPatch = FreeObject.refine((values) => !('' in values), 'must not have an empty key');

/** Parameters of a lookup; exactly one is required. */
const LOOKUP_FIELDS = ['lead_id', 'email', 'phone'] as const;

/** Query parameters for the lookup of a lead by one identifier. */
export const LeadLookupQuery = z
  .object({
    lead_id: LeadFields.lead_id
      .optional()
      .meta({ description: '`lead_id` of the lead or of a lead that was merged into it' }),
    email: LeadFields.email.min(1).optional(),
    phone: z
      .string()
      .min(1)
      .max(INPUT_LIMITS.name)
      .transform(normalizePhone)
      .optional()
      .meta({ description: 'Phone number in any format' }),
  })
  .refine(
    (query) => LOOKUP_FIELDS.filter((name) => query[name] !== undefined).length === 1,
    `must have exactly one of ${LOOKUP_FIELDS.join(', ')}`,
  );
