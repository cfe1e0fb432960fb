/** The kinds of settings. Each has a rule, which completes the sentence "NAME must be …". */
import { z } from 'zod';
import { isGeoipFile } from './geoip-file.ts';

/** The schema with its rule in words. */
export const rule = <T extends z.ZodType>(text: string, schema: T): T => schema.meta({ rule: text });

export const flag = rule('true or false (also 1 or 0, yes or no, on or off)', z.stringbool());
export const port = rule('an integer from 0 to 65535', z.coerce.number().int().min(0).max(65_535));
export const count = rule('an integer from 1', z.coerce.number().int().min(1));
export const amount = rule('an integer from 0', z.coerce.number().int().min(0));
export const seconds = rule('a number of seconds above 0', z.coerce.number().positive());
export const milliseconds = rule('a number of milliseconds from 0', z.coerce.number().min(0));
export const webUrl = rule('a URL that begins with http:// or https://', z.url({ protocol: /^https?$/ }));
export const mongodbUri = rule(
  'a URI that begins with mongodb:// or mongodb+srv://',
  z.string().regex(/^mongodb(\+srv)?:\/\/[^/]/),
);
export const redisUrl = rule('a URL that begins with redis:// or rediss://', z.url({ protocol: /^rediss?$/ }));
export const smtpUrl = rule('a URL that begins with smtp:// or smtps://', z.url({ protocol: /^smtps?$/ }));
export const geoipFile = rule(
  'the path of a file that can be read and is in the MaxMind DB format',
  z.string().refine(isGeoipFile),
);
export const secret = rule('at least 16 characters long', z.string().min(16));
export const sender = rule(
  'an e-mail address, or a name and an address as in Support <support@example.com>',
  z.string().regex(/^([^<>@,]+ <[^<>@,\s]+@[^<>@,\s]+>|[^<>@,\s]+@[^<>@,\s]+)$/),
);

const split = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const listOf = (item: RegExp) =>
  z
    .string()
    .refine((text) => split(text).every((each) => item.test(each)))
    .transform(split);

export const list = rule('a list, separated by commas', listOf(/./));
export const emails = rule('a list of e-mail addresses, separated by commas', listOf(/^[^<>@,\s]+@[^<>@,\s]+$/));
