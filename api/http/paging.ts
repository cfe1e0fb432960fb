/** Lists: page, order and limit as every list endpoint takes them (contract 4, decision 1). */
import { z } from 'zod';
import { integer, oneOfNumbers } from '#shared/lenient.ts';
import { wire } from '#shared/wire-profile.ts';

const MAX_LIMIT = 1000;

type Sort = Record<string, 1 | -1>;

/** The order of a list; `_id` settles ties so that pages never overlap. */
export interface Page {
  page: number;
  limit: number;
  sortField: string;
  direction: 1 | -1;
  skip: number;
  sort: Sort;
}

/** A whole number of a query, which may be absent. */
export const wholeNumber = (least: number, most: number) => integer(least, most).optional();

/** One of the fields that a list may be ordered by; another one is none where this profile says so. */
const orderOf = <F extends string>(fields: readonly [F, ...F[]]) => {
  const known = z.enum(fields).optional();
  return wire.unknownOrderIsDefault ? known.catch(undefined) : known;
};

/** Query of a list that may be ordered by `fields`, the first of which is the default. */
export const paged = <F extends string, More extends z.ZodRawShape>(
  fields: readonly [F, ...F[]],
  limit: number,
  more: More = {} as More,
) =>
  z.object({
    page: wholeNumber(0, 1_000_000).meta({ description: 'From 0' }),
    limit: wholeNumber(1, MAX_LIMIT).meta({ description: `Default ${limit}, at most ${MAX_LIMIT}` }),
    sortField: orderOf(fields).meta({ description: `Default ${fields[0]}` }),
    sort: orderOf(fields).meta({ description: 'Older name of sortField' }),
    direction: oneOfNumbers([1, -1]).optional().meta({ description: '1 ascending, -1 descending (default)' }),
    ...more,
  });

/** The page that a checked query asks for. */
export const pageOf = (
  query: { page?: number; limit?: number; sortField?: string; sort?: string; direction?: 1 | -1 },
  defaults: { sortField: string; limit: number },
): Page => {
  const { page = 0, limit = defaults.limit, direction = -1 } = query;
  const sortField = query.sortField ?? query.sort ?? defaults.sortField;
  return { page, limit, sortField, direction, skip: page * limit, sort: { [sortField]: direction, _id: direction } };
};
