/** Query schemas of transcripts. */
import { z } from 'zod';
import { optionalInteger } from '../http/request/paging.ts';
import { TimeZoneName } from '../http/request/time-zone.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const linkText = (description: string) => z.string().max(INPUT_LIMITS.name).optional().meta({ description });

/** Query parameters of a signed link. */
export const SignedLinkQuery = z.object({
  project: linkText('Id of the project, from the signed link'),
  expires: optionalInteger(0, Number.MAX_SAFE_INTEGER).meta({
    description: 'Expiry of the link: Unix time in seconds',
  }),
  signature: linkText('Signature of the link'),
});

/** Query parameters for a transcript: the signed link, and the time zone for the times in the transcript. */
export const TranscriptQuery = SignedLinkQuery.extend({
  tz: TimeZoneName.meta({ description: 'Time zone of the times; default: the time zone of the project, or UTC' }),
  timezone: TimeZoneName.meta({ description: 'Alias of `tz`' }),
});
