/** Request bodies for segments. */
import { z } from 'zod';
import { findFilterFault } from '#shared/domain/leads/segment-filter.ts';
import { FILTER_MATCHES, FILTER_OPERATORS } from '#shared/models/segment.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { acceptEmpty } from '../http/request/input.ts';
import { optional } from '#shared/wire/coercion.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const isFreeValue = (value: unknown): boolean =>
  JSON.stringify(value).length <= INPUT_LIMITS.conversationText && FreeObject.safeParse({ value }).success;

const FilterValue = z
  .json()
  .refine(
    isFreeValue,
    `must have at most ${INPUT_LIMITS.conversationText} characters as JSON, and no key with a dot or a leading $`,
  )
  .optional();

const FilterInput = z
  .object({
    field: z.string().min(1).max(INPUT_LIMITS.name),
    operator: z.enum(FILTER_OPERATORS),
    value: acceptEmpty(FilterValue, '', null),
  })
  .superRefine((filter, context) => {
    const fault = findFilterFault(filter);
    if (fault) context.addIssue({ code: 'custom', path: [fault.path], message: fault.message });
  });

/** The filters of a segment. */
export const SegmentFilterInput = z.object({
  match: optional(z.enum(FILTER_MATCHES)).meta({
    description: 'Whether a lead must match `all` filters (default) or `any`',
  }),
  filters: optional(z.array(FilterInput).max(INPUT_LIMITS.segmentFilters)),
});

/** Applies the defaults of a new segment. */
export const toFilters = ({ match = 'all', filters = [] }: z.output<typeof SegmentFilterInput>) => ({ match, filters });

/** Request body for a new segment. */
export const NewSegment = SegmentFilterInput.extend({ name: z.string().trim().min(1).max(INPUT_LIMITS.name) });

/** Request body for a segment update; absent and null fields are unchanged. */
export const SegmentChange = SegmentFilterInput.extend({
  name: optional(z.string().trim().min(1).max(INPUT_LIMITS.name)),
});
