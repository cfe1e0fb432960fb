import { z } from 'zod';
import { PREFIX } from '#shared/domain/events/custom-events.ts';
import { FreeObject, isId } from '#shared/view.ts';
import { wire } from '#shared/wire-profile.ts';
import { paged } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';

/** Events on one page (contract b 11.2). */
export const PER_PAGE = 40;

const isWhole = (name: string): boolean => name.startsWith(PREFIX) && name.length > PREFIX.length;

const Name = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.eventName)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must not have line breaks')
  .refine((name) => wire.bareEventNames || isWhole(name), `must be ${PREFIX}<EVENT_NAME>`);

/** Body of firing an event. */
export const NewEvent = z.object({
  name: Name,
  attributes: FreeObject.nullish().transform((attributes) => attributes ?? undefined),
});

/** Query of the list. */
export const EventsQuery = paged(['createdAt', 'updatedAt', 'name'], PER_PAGE, {
  project_user: z
    .string()
    .refine(isId, 'must be 24 hexadecimal digits')
    .optional()
    .meta({ description: 'Only those fired by this membership' }),
});
