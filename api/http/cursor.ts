/** Walks through lists of any length: a cursor stands after the last record of a page, so records that come meanwhile shift nothing. */
import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import { AppError } from '#shared/errors.ts';
import { sentence } from '#shared/sentences.ts';
import { isId } from '#shared/view.ts';
import type { Page } from './paging.ts';

const MOST = 3000;

/** A cursor as text that says nothing to its holder. */
export const written = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');

const read = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // no cursor of ours
    throw error;
  }
};

/** A query's cursor, read; 422 for what is none of this shape. */
export const cursor = <S extends z.ZodType>(position: S) =>
  z
    .string()
    .max(MOST)
    .transform((text, context): z.output<S> => {
      const { success, data } = position.safeParse(read(text));
      if (success) return data;
      context.issues.push({ code: 'custom', message: 'must be a cursor that this list answered', input: text });
      return z.NEVER;
    })
    .optional()
    .meta({ description: '`next_cursor` of the page before, instead of `page`' });

/** After which record a page begins: the list's order, that record's value of it, and its `_id`. */
export const Position = z.tuple([
  z.string(),
  z.literal([1, -1]),
  z.union([z.string(), z.number(), z.null()]),
  z.string().refine(isId),
]);
export type Position = z.output<typeof Position>;

/** Query fields of a list that can be walked. */
export const walked = {
  cursor: cursor(Position),
  count: flag().optional().meta({ description: '`false`: nothing is counted, `count` is 0' }),
};

/** Where the next page of a walk begins. */
export const NextCursor = z.string().nullable().meta({ description: '`cursor` of the next page; null at the end' });

/** 422 for a cursor that is used as it was not meant. */
export const misused = (predicate: string) => {
  const message = sentence('cursor', predicate);
  const error = { path: 'cursor', param: 'cursor', code: 'custom', message, msg: message, location: 'query' };
  return new AppError(422, 'INVALID', message).with({ body: { errors: [error] } });
};

/** No record is without these, so that an index leads straight to the cursor. */
const EVERYWHERE = new Set(['createdAt', 'updatedAt']);

/** What comes after a record. Null and absent are one value, which sorts before every other. */
const beyond = ([field, direction, value, _id]: Position): object => {
  const step = direction === 1 ? '$gt' : '$lt';
  const tie = { [field]: value, _id: { [step]: _id } };
  if (EVERYWHERE.has(field)) return { [field]: { [`${step}e`]: value }, $or: [{ [field]: { [step]: value } }, tie] };
  if (value === null) return direction === 1 ? { $or: [{ [field]: { $ne: null } }, tie] } : tie;
  return { $or: [{ [field]: { [step]: value } }, ...(direction === 1 ? [] : [{ [field]: null }]), tie] };
};

const isPosition = (position: object, sortField: string, direction: number): position is Position => {
  const [field, way] = Array.isArray(position) ? position : [];
  return field === sortField && way === direction;
};

/** The part of a list that comes after its cursor; 422 for one of another order. */
export const after = <F extends object>(
  filter: F,
  { sortField, direction, page }: Page,
  position?: Position | object,
): F => {
  if (!position) return filter;
  if (page) throw misused('must not be given with page');
  if (!isPosition(position, sortField, direction))
    throw misused('must be used in the order of the list that answered it');
  return { ...filter, $and: [...((filter as { $and?: object[] }).$and ?? []), beyond(position)] };
};

/** The cursor of the page that follows these records; null where there is none. */
export const next = ({ limit, sortField, direction }: Page, records: { _id: unknown }[]): string | null => {
  const last = records.length < limit ? undefined : records.at(-1);
  if (!last) return null;
  const value = (last as Record<string, unknown>)[sortField] ?? null;
  return written([sortField, direction, value, String(last._id)]);
};
