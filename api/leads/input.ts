/** What callers send about leads (contract b 5). */
import { z } from 'zod';
import { MOST_TAGS } from '#shared/domain/conversations/lead-changes.ts';
import { LEAD } from '#shared/models/lead.ts';
import { FreeObject } from '#shared/view.ts';
import { walked } from '../http/cursor.ts';
import { paged, wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import { given, text } from '../requests/fields.ts';

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

const Tags = z.array(z.string().min(1).max(LIMITS.name)).max(MOST_TAGS);

/** What a lead is made of; any other name is of no effect on creation. */
export const NewLead = z.object({
  lead_id: given(z.string().min(1).max(LIMITS.visitorId)),
  fullname: text(LIMITS.name),
  email: text(LIMITS.email),
  attributes: given(FreeObject),
});

const present = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** What may be changed of a lead; null and absent leave it as it is. */
export const LeadChange = NewLead.omit({ lead_id: true })
  .extend({
    status: given(z.literal(Object.values(LEAD))),
    phone: text(LIMITS.name),
    company: text(LIMITS.name),
    note: text(LIMITS.conversationText),
    streetAddress: text(LIMITS.name),
    city: text(LIMITS.name),
    region: text(LIMITS.name),
    zipcode: text(LIMITS.name),
    country: text(LIMITS.name),
    tags: given(Tags.transform((tags) => [...new Set(tags)])),
  })
  .transform(present);

/** Body of adding tags; none is refused by the endpoint. */
export const NewTags = Tags;

/** Keys that are laid over a free object, each at its own path. */
export const Merge = FreeObject.refine((values) => !('' in values), 'No key may be empty');
