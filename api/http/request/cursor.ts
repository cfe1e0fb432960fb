/**
 * Cursor pagination. A cursor names the last record of a page, so records inserted between two requests do not shift
 * the pages.
 */
import { z } from 'zod';
import { invalidParameter } from '#shared/errors.ts';
import { flag } from '#shared/wire/coercion.ts';
import { sentence } from '#shared/wire/validation-messages.ts';
import { isId } from '#shared/wire/view.ts';
import type { Page } from './paging.ts';

const MAX_CURSOR_LENGTH = 3000;

/** Encodes a position as an opaque string. */
export const encodeCursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');

const decodeCursor = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // not a cursor that this API has returned
    throw error;
  }
};

/** Schema of the query parameter `cursor`. Decodes a cursor to a position; any other string is a validation error. */
export const cursorParameter = <S extends z.ZodType>(position: S) =>
  z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .transform((text, context): z.output<S> => {
      const { success, data } = position.safeParse(decodeCursor(text));
      if (success) return data;
      context.issues.push({ code: 'custom', message: 'must be a cursor returned by this list', input: text });
      return z.NEVER;
    })
    .optional()
    .meta({ description: '`next_cursor` of the previous page; replaces `page`' });

/** The position after a record: sort field, direction, the record's value of that field, and its `_id`. */
export const CursorPosition = z.tuple([
  z.string(),
  z.literal([1, -1]),
  z.union([z.string(), z.number(), z.null()]),
  z.string().refine(isId),
]);
export type CursorPosition = z.output<typeof CursorPosition>;

/** Query parameters of a list with cursors. */
export const cursorQuery = {
  cursor: cursorParameter(CursorPosition),
  count: flag().optional().meta({ description: '`false`: skip counting; `count` is 0' }),
};

/** Schema of the reply field `next_cursor`. */
export const NextCursor = z
  .string()
  .nullable()
  .meta({ description: '`cursor` of the next page, which may be empty; null if there is none' });

/**
 * Creates the 422 error for a cursor that does not fit the request. The message is `cursor` followed by `predicate`,
 * for example, `must come from the same search`.
 */
export const invalidCursor = (predicate: string) =>
  invalidParameter({ path: 'cursor', message: sentence('cursor', predicate), location: 'query' });

/** Fields that every record has; a range on them lets the index seek to the cursor. */
const ALWAYS_PRESENT_FIELDS = new Set(['createdAt', 'updatedAt']);

/** Returns the filter for the records after a position. Null and absent values are equal and sort before all others. */
const recordsAfter = ([field, direction, value, _id]: CursorPosition): object => {
  const step = direction === 1 ? '$gt' : '$lt';
  const tie = { [field]: value, _id: { [step]: _id } };
  if (ALWAYS_PRESENT_FIELDS.has(field))
    return { [field]: { [`${step}e`]: value }, $or: [{ [field]: { [step]: value } }, tie] };
  if (value === null) return direction === 1 ? { $or: [{ [field]: { $ne: null } }, tie] } : tie;
  return { $or: [{ [field]: { [step]: value } }, ...(direction === 1 ? [] : [{ [field]: null }]), tie] };
};

const isPosition = (position: object, sortField: string, direction: number): position is CursorPosition => {
  const [field, order] = Array.isArray(position) ? position : [];
  return field === sortField && order === direction;
};

/**
 * Restricts a filter to the records after the position of a cursor. Throws 422 for a cursor of a list with another sort
 * order, or a cursor that is combined with `page`.
 */
export const afterCursor = <F extends object>(
  filter: F,
  { sortField, direction, page }: Page,
  position?: CursorPosition | object,
): F => {
  if (!position) return filter;
  if (page) throw invalidCursor('cannot be combined with `page`');
  if (!isPosition(position, sortField, direction))
    throw invalidCursor('must be used with the sort field and direction of the list that returned it');
  return { ...filter, $and: [...((filter as { $and?: object[] }).$and ?? []), recordsAfter(position)] };
};

/** Returns the cursor of the page after these records; null if there are fewer records than a page holds. */
export const nextCursor = ({ limit, sortField, direction }: Page, records: { _id: unknown }[]): string | null => {
  const last = records.length < limit ? undefined : records.at(-1);
  if (!last) return null;
  const value = (last as Record<string, unknown>)[sortField] ?? null;
  return encodeCursor([sortField, direction, value, String(last._id)]);
};
