/** The types of settings. Each has a rule that completes the sentence "NAME must be …". */
import { z } from 'zod';
import { isGeoipFile } from './geoip-file.ts';
import { isRedisUrl } from './redis-url.ts';

/** Attaches the text of its rule to a schema. */
export const withRule = <T extends z.ZodType>(text: string, schema: T): T => schema.meta({ rule: text });

export const flag = withRule('true or false (also 1 or 0, yes or no, on or off)', z.stringbool());
export const port = withRule('an integer from 0 to 65535', z.coerce.number().int().min(0).max(65_535));
export const positiveInteger = withRule('an integer of at least 1', z.coerce.number().int().min(1));
export const nonNegativeInteger = withRule('an integer of at least 0', z.coerce.number().int().min(0));
export const seconds = withRule('a number of seconds greater than 0', z.coerce.number().positive());
export const ratio = withRule('a number from 0 to 1', z.coerce.number().min(0).max(1));
export const milliseconds = withRule('a number of milliseconds, at least 0', z.coerce.number().min(0));
export const webUrl = withRule('a URL that begins with http:// or https://', z.url({ protocol: /^https?$/ }));
export const mongodbUri = withRule(
  'a URI that begins with mongodb:// or mongodb+srv://',
  z.string().regex(/^mongodb(\+srv)?:\/\/[^/]/),
);
export const redisUrl = withRule(
  'a URL such as redis://host:6379, redis+cluster://host:6379,host:6380 or redis+sentinel://host:26379/master',
  z.string().refine(isRedisUrl),
);
export const smtpUrl = withRule('a URL that begins with smtp:// or smtps://', z.url({ protocol: /^smtps?$/ }));
export const geoipFile = withRule(
  'the path of a readable file in the MaxMind DB format',
  z.string().refine(isGeoipFile),
);
export const secret = withRule('at least 16 characters long', z.string().min(16));
export const mailSender = withRule(
  'an email address, or a name and an address as in Support <support@example.com>',
  z.string().regex(/^([^<>@,]+ <[^<>@,\s]+@[^<>@,\s]+>|[^<>@,\s]+@[^<>@,\s]+)$/),
);

export const emailAddress = withRule('an email address', z.string().regex(/^[^<>@,\s]+@[^<>@,\s]+$/));
/** A domain whose first label may be `*`, a placeholder for the id of a project. */
export const projectDomain = withRule(
  'a domain such as mail.example.com or *.mail.example.com',
  z.string().regex(/^(\*\.)?[\w-]+(\.[\w-]+)*$/),
);

const splitByComma = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const listOf = (item: RegExp) =>
  z
    .string()
    .refine((text) => splitByComma(text).every((entry) => item.test(entry)))
    .transform(splitByComma);

export const commaList = withRule('a comma-separated list', listOf(/./));
export const emailList = withRule('a comma-separated list of email addresses', listOf(/^[^<>@,\s]+@[^<>@,\s]+$/));
export const extensionList = withRule(
  'a comma-separated list of file extensions such as .png, in which */* allows all',
  listOf(/^(\.[a-z0-9]+|\*\/\*)$/i),
);
export const fileStorage = withRule(
  'a folder, or a URL such as s3://bucket/prefix',
  z.string().regex(/^(?!\w+:\/\/)|^s3:\/\/([^@/]*@)?[a-z0-9][a-z0-9.-]+(\/|\?|$)/),
);

const TOKEN_FACTORS = /^(?:[^\s;]+:\d+(?:\.\d+)?(?:\s*;\s*|$))*$/;
/** By model name: the factor for its prompt tokens. A name may contain colons; the factor follows the last colon. */
export const tokenFactors = withRule(
  'a semicolon-separated list of entries of the form model:factor',
  z
    .string()
    .trim()
    .regex(TOKEN_FACTORS)
    .transform((text) => {
      const entries = text.split(';').map((entry) => /^\s*(.+):([\d.]+)\s*$/.exec(entry));
      return Object.fromEntries(entries.flatMap((match) => (match ? [[match[1], Number(match[2])]] : [])));
    }),
);

const TOKEN_PRICES = /^(?:[^\s;]+:\d+(?:\.\d+)?:\d+(?:\.\d+)?(?:\s*;\s*|$))*$/;
/** The prices of each model, by model name. A name may contain colons; the prices follow the last two colons. */
export const tokenPrices = withRule(
  'a semicolon-separated list of entries of the form model:prompt-price:completion-price',
  z
    .string()
    .trim()
    .regex(TOKEN_PRICES)
    .transform((text) => {
      const entries = text.split(';').map((entry) => /^\s*(.+):([\d.]+):([\d.]+)\s*$/.exec(entry));
      return Object.fromEntries(
        entries.flatMap((match) =>
          match ? [[match[1], { prompt: Number(match[2]), completion: Number(match[3]) }]] : [],
        ),
      ) as Record<string, { prompt: number; completion: number }>;
    }),
);
