/** Request body and query of the custom event endpoints. */
import { z } from 'zod';
import { CUSTOM_EVENT_PREFIX } from '#shared/domain/events/custom-event-names.ts';
import { compatibility } from '#shared/wire/compatibility.ts';
import { FreeObject, isId } from '#shared/wire/view.ts';
import { pagingQuery } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

/** Default page size of the list of custom events. */
export const EVENTS_PER_PAGE = 40;

const isPrefixedName = (name: string): boolean =>
  name.startsWith(CUSTOM_EVENT_PREFIX) && name.length > CUSTOM_EVENT_PREFIX.length;

const EventName = z
  .string()
  .trim()
  .min(1)
  .max(INPUT_LIMITS.eventName)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must not contain control characters or line breaks')
  .refine(
    (name) => compatibility.acceptsUnprefixedEventNames || isPrefixedName(name),
    `must have the form ${CUSTOM_EVENT_PREFIX}<EVENT_NAME>`,
  );

/** Request body of a custom event. */
export const NewEvent = z.object({
  name: EventName,
  attributes: FreeObject.nullish().transform((attributes) => attributes ?? undefined),
});

/** Query of the list of custom events. */
export const EventsQuery = pagingQuery(['createdAt', 'updatedAt', 'name'], EVENTS_PER_PAGE, {
  project_user: z
    .string()
    .refine(isId, 'must be 24 hexadecimal digits')
    .optional()
    .meta({ description: 'Id of a membership: only events emitted by this member' }),
});
