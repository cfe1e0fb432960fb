/** Schema of time zones in queries. */
import { z } from 'zod';
import { isTimeZone } from '#shared/time/zoned-time.ts';
import { INPUT_LIMITS } from '../../input-limits.ts';

/** An optional IANA time zone name. */
export const TimeZoneName = z
  .string()
  .max(INPUT_LIMITS.name)
  .refine(isTimeZone, 'must be a time zone such as Europe/Rome')
  .optional();
