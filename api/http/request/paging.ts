/** Page, limit and order: the query parameters of most lists. */
import { z } from 'zod';
import { integer, oneOfNumbers } from '#shared/wire/coercion.ts';
import { compatibility } from '#shared/wire/compatibility.ts';

const MAX_LIMIT = 1000;

type Sort = Record<string, 1 | -1>;

/**
 * The requested page of a list. `sort` ends with `_id`, so that equal values have a stable order and pages do not
 * overlap.
 */
export interface Page {
  page: number;
  limit: number;
  sortField: string;
  direction: 1 | -1;
  skip: number;
  sort: Sort;
}

/** An optional integer in a query. */
export const optionalInteger = (min: number, max: number) => integer(min, max).optional();

/** Schema of the sort field. Rejects an unknown field, or ignores it in the wire profile `deployed-clients`. */
const sortFieldSchema = <F extends string>(fields: readonly [F, ...F[]]) => {
  const schema = z.enum(fields).optional();
  return compatibility.unknownOrderIsDefault ? schema.catch(undefined) : schema;
};

/** Query schema of a list that is sorted by one of `fields` (default: the first); `limit` is the default page size. */
export const pagingQuery = <F extends string, More extends z.ZodRawShape>(
  fields: readonly [F, ...F[]],
  limit: number,
  more: More = {} as More,
) =>
  z.object({
    page: optionalInteger(0, 1_000_000).meta({ description: 'Page number, starting at 0' }),
    limit: optionalInteger(1, MAX_LIMIT).meta({ description: `Default ${limit}, at most ${MAX_LIMIT}` }),
    sortField: sortFieldSchema(fields).meta({ description: `Default \`${fields[0]}\`` }),
    sort: sortFieldSchema(fields).meta({ description: 'Former name of `sortField`' }),
    direction: oneOfNumbers([1, -1]).optional().meta({ description: '1 ascending, -1 descending (default)' }),
    ...more,
  });

/** Returns the page that a validated query requests. */
export const parsePage = (
  query: { page?: number; limit?: number; sortField?: string; sort?: string; direction?: 1 | -1 },
  defaults: { sortField: string; limit: number },
): Page => {
  const { page = 0, limit = defaults.limit, direction = -1 } = query;
  const sortField = query.sortField ?? query.sort ?? defaults.sortField;
  return { page, limit, sortField, direction, skip: page * limit, sort: { [sortField]: direction, _id: direction } };
};
