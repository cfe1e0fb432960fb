/** Schema of time zones in queries. */
import { z } from 'zod';
import { isTimeZone } from '#shared/time/zoned-time.ts';
import { INPUT_LIMITS } from '../../input-limits.ts';

/** An optional time zone: an IANA name such as `Europe/Rome`, or an offset such as `+05:45`. */
export const TimeZoneName = z
  .string()
  .max(INPUT_LIMITS.name)
  .refine(isTimeZone, 'must be a time zone such as Europe/Rome, or an offset such as +05:45')
  .optional();
