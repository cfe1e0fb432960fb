import { z } from 'zod';
import { isZone } from '#shared/wall-clock.ts';
import { wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';

const text = (description: string) => z.string().max(LIMITS.name).optional().meta({ description });

/** What a signed link carries. */
export const Signed = z.object({
  project: text('The project, as the signed link names it'),
  expires: wholeNumber(0, Number.MAX_SAFE_INTEGER).meta({ description: 'Until when it holds: seconds since 1970' }),
  signature: text('What makes it valid'),
});

const zone = z.string().max(LIMITS.name).refine(isZone, 'must be a time zone such as Europe/Rome').optional();

/** The same, and by which clock the transcript tells the time. */
export const Read = Signed.extend({
  tz: zone.meta({ description: "By which clock times are told; default: the project's, else UTC" }),
  timezone: zone.meta({ description: 'Other name of `tz`' }),
});
