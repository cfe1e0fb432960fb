/** What callers send to labels. */
import { z } from 'zod';
import { LIMITS } from '../limits.ts';

const NAME = /^[A-Za-z][\w-]*$/;
const NAMED = 'must be a letter followed by letters, digits, _ or -';
const RESERVED = 'default';

/** The code of a language, taken as it is written. */
export const Lang = z
  .string()
  .regex(NAME, NAMED)
  .max(LIMITS.language)
  .refine((lang) => lang !== RESERVED, `must not be ${RESERVED}`)
  .meta({ description: 'Code of the language; those that come with the service are upper-case' });

const Text = z.string().max(LIMITS.settingText);

/** The texts of one language, by key: all together as long as a record may be. */
export const Texts = z
  .record(z.string().regex(NAME, NAMED).max(LIMITS.name), z.union([Text, z.array(Text).max(LIMITS.labelTexts)]))
  .refine(
    (texts) => JSON.stringify(texts).length <= LIMITS.labels,
    `must have at most ${LIMITS.labels} characters as JSON`,
  );
