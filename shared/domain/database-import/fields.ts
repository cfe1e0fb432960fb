/** The types of fields in documents of the imported database, and their conversion to the types of this system. */
import { Types } from 'mongoose';
import { z } from 'zod';

/** A document of the imported database, or a record of this system. */
export type Fields = Record<string, unknown>;

const ID = /^[0-9a-f]{24}$/;
const NUMBER = /^-?\d+(\.\d+)?$/;

const idToText = (value: unknown): unknown => (value instanceof Types.ObjectId ? value.toHexString() : value);

const isPlainObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Replaces ids in a value of any form with strings, because this system stores ids in free-form objects as strings. */
export const withTextIds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withTextIds);
  if (!isPlainObject(value)) return idToText(value);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withTextIds(field)]));
};

/** An id of 24 hexadecimal digits, stored as a string. */
export const id = () =>
  z.preprocess(
    (value) => String(idToText(value)).toLowerCase(),
    z.string().regex(ID, 'must be an id of 24 hexadecimal digits'),
  );

/** An id of 24 hexadecimal digits, stored as an ObjectId. */
export const objectId = () => id().transform((text) => new Types.ObjectId(text));

const toText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : idToText(value);

/** A string. Ids, numbers and booleans are converted. */
export const text = () => z.preprocess(toText, z.string());

/** A string that is not empty. */
export const nonEmptyText = () => z.preprocess(toText, z.string().min(1, 'must not be empty'));

/** A number, or a string that contains a number. */
export const number = () =>
  z.preprocess((value) => (typeof value === 'string' && NUMBER.test(value) ? Number(value) : value), z.number());

/** A boolean, or the string `true` or `false`. */
export const flag = () =>
  z.preprocess((value) => ({ true: true, false: false })[value as string] ?? value, z.boolean());

/** A time: a date, a string, or milliseconds since 1970. */
export const time = () =>
  z.preprocess((value) => (typeof value === 'string' || typeof value === 'number' ? new Date(value) : value), z.date());

/** An object with arbitrary content. */
export const object = () =>
  z.custom<Fields>(isPlainObject, 'must be an object').transform((value) => withTextIds(value) as Fields);

/** A list; absent and null become an empty list. */
export const list = <S extends z.ZodType>(item: S) => z.preprocess((value) => value ?? [], z.array(item));

/** A field that may be absent or null; null becomes absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => value ?? undefined, schema.optional());

/** A field that gets a default value if it is absent or null. */
export const withDefault = <S extends z.ZodType>(schema: S, fallback: unknown) =>
  z.preprocess((value) => value ?? structuredClone(fallback), schema);

/** The fields of every document: its id, times and version. A missing creation time is taken from the id. */
const recordFields = {
  _id: id(),
  createdAt: optional(time()),
  updatedAt: optional(time()),
  __v: withDefault(number(), 0),
};

/** The fields of every document of a project. */
export const projectFields = { ...recordFields, id_project: id() };

/** The fields of every document that belongs to a project and has an author. */
export const authoredFields = { ...projectFields, createdBy: withDefault(text(), 'system') };

/** The fields of every document that belongs to no project. */
export const instanceFields = recordFields;

/** The fields of one tag of a record. */
export const tagFields = { tag: nonEmptyText(), color: optional(text()), attributes: optional(object()) };
