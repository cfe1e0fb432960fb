/**
 * Basic schemas of the API (ids, times, free objects), and the projection of a View. A View is the schema of a record
 * in responses.
 */
import type { Types } from 'mongoose';
import { z } from 'zod';

const ID_PATTERN = /^[0-9a-f]{24}$/;

/** Whether a value is an ObjectId. A value parsed from JSON is never one, because it has no methods. */
const isObjectId = (value: unknown): value is Types.ObjectId =>
  typeof (value as { toHexString?: unknown } | null | undefined)?.toHexString === 'function';

/** A record id: 24 hexadecimal digits in the API, an ObjectId or its string internally. */
export const Id = z
  .preprocess(
    (value) => (isObjectId(value) ? value.toHexString() : value),
    z.string().regex(ID_PATTERN, 'must be 24 hexadecimal digits'),
  )
  .meta({ description: '24 hexadecimal digits' }) as z.ZodType<string, Types.ObjectId | string>;

/** A time: ISO 8601 in UTC in the API, a Date internally. */
export const Time = z
  .preprocess((value) => (value instanceof Date ? value.toISOString() : value), z.iso.datetime())
  .meta({ description: 'ISO 8601, UTC' }) as z.ZodType<string, Date | string>;

/** Whether a value is a string of 24 hexadecimal digits. */
export const isId = (text: unknown): text is string => typeof text === 'string' && ID_PATTERN.test(text);

/** Declares a View. `name` is its name in the API documents and in the client. */
export const view = <Shape extends z.ZodRawShape>(name: string, shape: Shape) =>
  z.strictObject(shape).meta({ id: name });

/** The MongoDB projection of a View, so that other fields are never read. */
export const projectionOf = <V extends z.ZodObject>(view: V) =>
  Object.fromEntries(Object.keys(view.shape).map((key) => [key, 1])) as Record<keyof V['shape'] & string, 1>;

const MAX_DEPTH = 8;
const MAX_JSON_CHARACTERS = 100_000;
const FORBIDDEN_KEY = /^\$|\.|^__proto__$|^constructor$|^prototype$|\0/;

const isSafeValue = (value: unknown, depth = 0): boolean => {
  if (value === null || typeof value !== 'object') return typeof value !== 'string' || !value.includes('\0');
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isSafeValue(item, depth + 1));
  return Object.entries(value).every(([key, item]) => !FORBIDDEN_KEY.test(key) && isSafeValue(item, depth + 1));
};

/**
 * An object with arbitrary content, which is stored and returned unchanged. It may have at most 100,000 characters as
 * JSON and 8 levels, no NUL character, and no key that is unsafe in MongoDB or JavaScript.
 */
export const FreeObject = z
  .record(z.string(), z.json())
  .refine(
    (value) => isSafeValue(value),
    'must have at most 8 levels, no NUL characters, and no keys that begin with $, contain a dot or are __proto__, constructor or prototype',
  )
  .refine(
    (value) => JSON.stringify(value).length <= MAX_JSON_CHARACTERS,
    `must have at most ${MAX_JSON_CHARACTERS} characters as JSON`,
  ) as z.ZodType<Record<string, unknown>, Record<string, unknown>>;

/** A field that may be absent. In database types, it may also be null; responses then omit it. */
export const optionalField = <S extends z.ZodType>(schema: S) =>
  schema.optional() as unknown as z.ZodOptional<z.ZodType<z.output<S>, z.input<S> | null>>;
