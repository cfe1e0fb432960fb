/** What callers send about leads (contract b 5). */
import { z } from 'zod';
import { LeadFields, Tags } from '#shared/domain/leads/fields.ts';
import { phoneOf } from '#shared/domain/leads/phones.ts';
import { LEAD } from '#shared/models/lead.ts';
import { FreeObject } from '#shared/view.ts';
import { walked } from '../http/cursor.ts';
import { paged, wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import { given } from '../requests/fields.ts';

const line = (description: string) => z.string().max(LIMITS.name).optional().meta({ description });

/** Query of the list of leads. */
export const LeadsQuery = paged(['createdAt', 'updatedAt', 'fullname', 'email'], 40, {
  ...walked,
  email: z.string().max(LIMITS.email).optional(),
  full_text: line('Words of the full name or the e-mail'),
  with_email: line('Any value: those with an e-mail'),
  with_fullname: line('Any value: those with a full name'),
  tags: line('Those with this tag'),
  segment: line('`_id` of a segment: those that it holds'),
  status: wholeNumber(0, LEAD.deleted).meta({ description: 'Default 100; 1000: deleted' }),
});

/** What a lead is made of; any other name is of no effect on creation. */
export const NewLead = z.object({
  lead_id: given(LeadFields.lead_id),
  fullname: given(LeadFields.fullname),
  email: given(LeadFields.email),
  attributes: given(LeadFields.attributes),
});

const present = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** What may be changed of a lead; null and absent leave it as it is. */
export const LeadChange = NewLead.omit({ lead_id: true })
  .extend({
    status: given(LeadFields.status),
    phone: given(LeadFields.phone).meta({ description: 'Kept in the international form where it tells the country' }),
    company: given(LeadFields.company),
    note: given(LeadFields.note),
    streetAddress: given(LeadFields.streetAddress),
    city: given(LeadFields.city),
    region: given(LeadFields.region),
    zipcode: given(LeadFields.zipcode),
    country: given(LeadFields.country),
    tags: given(LeadFields.tags),
  })
  .transform(present);

/** Body of adding tags; none is refused by the endpoint. */
export const NewTags = Tags;

/** Keys that are laid over a free object, each at its own path. */
export const Merge = FreeObject.refine((values) => !('' in values), 'must not have an empty key');

/** Of whom a lead is looked up by one. */
const BY = ['lead_id', 'email', 'phone'] as const;

/** Query of looking somebody up: by one thing that is known. */
export const Known = z
  .object({
    lead_id: LeadFields.lead_id.optional().meta({ description: 'Its own, or one that was merged into it' }),
    email: LeadFields.email.min(1).optional(),
    phone: z.string().min(1).max(LIMITS.name).transform(phoneOf).optional().meta({ description: 'In any form' }),
  })
  .refine((known) => BY.filter((name) => known[name] !== undefined).length === 1, `must have one of ${BY.join(', ')}`);
