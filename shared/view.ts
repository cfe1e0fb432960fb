/** The shapes of the wire: ids, times, and what a View reads from the database. */
import type { Types } from 'mongoose';
import { z } from 'zod';

const HEX24 = /^[0-9a-f]{24}$/;

/** A record id: 24 hexadecimal digits on the wire, an ObjectId or its text inside. */
export const Id = z
  .preprocess(
    (value) => (value == null ? value : String(value)),
    z.string().regex(HEX24, 'must be 24 hexadecimal digits'),
  )
  .meta({ description: '24 hexadecimal digits' }) as z.ZodType<string, Types.ObjectId | string>;

/** A moment: ISO 8601 in UTC on the wire, a Date inside. */
export const Time = z
  .preprocess((value) => (value instanceof Date ? value.toISOString() : value), z.iso.datetime())
  .meta({ description: 'ISO 8601, UTC' }) as z.ZodType<string, Date | string>;

/** True for 24 hexadecimal digits. */
export const isId = (text: unknown): text is string => typeof text === 'string' && HEX24.test(text);

/** The Mongo projection of a View: a field that is not in it is never read. */
export const fieldsOf = <V extends z.ZodObject>(view: V) =>
  Object.fromEntries(Object.keys(view.shape).map((key) => [key, 1])) as Record<keyof V['shape'] & string, 1>;

const MAX_DEPTH = 8;
const MAX_SIZE = 100_000;
const FORBIDDEN = /^\$|\.|^__proto__$|^constructor$|^prototype$|\0/;

const isPlain = (value: unknown, depth = 0): boolean => {
  if (value === null || typeof value !== 'object') return typeof value !== 'string' || !value.includes('\0');
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  return Object.entries(value).every(([key, item]) => !FORBIDDEN.test(key) && isPlain(item, depth + 1));
};

/** A free object of the caller's: stored and returned whole, at most 100 KB, 8 levels, no key that a database could read as an operator. */
export const FreeObject = z
  .record(z.string(), z.json())
  .refine((value) => isPlain(value), 'must not have keys that begin with $ or have a dot, and be at most 8 levels deep')
  .refine(
    (value) => JSON.stringify(value).length <= MAX_SIZE,
    `must have at most ${MAX_SIZE} characters as JSON`,
  ) as z.ZodType<Record<string, unknown>, Record<string, unknown>>;

/** A field that may be absent; the database's types call that null, the wire never does. */
export const maybe = <S extends z.ZodType>(schema: S) =>
  schema.optional() as unknown as z.ZodOptional<z.ZodType<z.output<S>, z.input<S> | null>>;
