/** What callers send about segments (contract b 9). */
import { z } from 'zod';
import { faultOf } from '#shared/domain/conversations/segment-filter.ts';
import { MATCHES, OPERATORS } from '#shared/models/segment.ts';
import { FreeObject } from '#shared/view.ts';
import { means } from '../http/absent.ts';
import { LIMITS } from '../limits.ts';
import { given } from '../requests/fields.ts';

const isFree = (value: unknown): boolean =>
  JSON.stringify(value).length <= LIMITS.conversationText && FreeObject.safeParse({ value }).success;

const Value = z
  .json()
  .refine(
    isFree,
    `must have at most ${LIMITS.conversationText} characters as JSON, and no key that begins with $ or has a dot`,
  )
  .optional();

const Filter = z
  .object({ field: z.string().min(1).max(LIMITS.name), operator: z.enum(OPERATORS), value: means(Value, '', null) })
  .superRefine((filter, context) => {
    const fault = faultOf(filter);
    if (fault) context.addIssue({ code: 'custom', path: [fault.path], message: fault.message });
  });

/** What is asked of leads. */
export const Asking = z.object({
  match: given(z.enum(MATCHES)).meta({ description: 'Whether a lead meets all filters (default) or any' }),
  filters: given(z.array(Filter).max(LIMITS.segmentFilters)),
});

/** The same where nothing is known of it yet. */
export const asksOf = ({ match = 'all', filters = [] }: z.output<typeof Asking>) => ({ match, filters });

/** What a segment is made of. */
export const NewSegment = Asking.extend({ name: z.string().trim().min(1).max(LIMITS.name) });

/** What may be changed of a segment; what is absent or null stays as it is. */
export const SegmentChange = Asking.extend({ name: given(z.string().trim().min(1).max(LIMITS.name)) });
