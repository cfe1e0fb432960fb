/**
 * Plain records straight from the driver, for whatever only shows them. The filter is cast by the model's schema and
 * must name its `id_project`, as with mongoose; no query, document or hook is made for each read (design 8).
 */
import type { Collection, Model, Query, QueryFilter, Require_id } from 'mongoose';
import { refuseUnnamed } from './models/plugins/tenant.ts';

/** As much of a model as reading needs. */
interface Readable {
  modelName: string;
  schema: object;
  collection: Collection;
  castObject(record: object): unknown;
}

type RecordOf<M extends Readable> = Require_id<ReturnType<M['castObject']>> & { __v: number };
type Fields<M extends Readable> = { [K in keyof RecordOf<M>]?: 0 | 1 };
type Filter<M extends Readable> = QueryFilter<ReturnType<M['castObject']>>;

type Wanted<F> = { [K in keyof F]: F[K] extends 0 ? never : K }[keyof F] | (F extends { _id: 0 } ? never : '_id');

/** What is read: the fields asked for. */
type Read<M extends Readable, F> = Pick<RecordOf<M>, Wanted<F> & keyof RecordOf<M>>;

/** The part of a list that is wanted. */
interface Page {
  sort?: Record<string, 1 | -1>;
  skip?: number;
  limit?: number;
}

const casters = new WeakMap<Readable, Query<unknown, unknown>>();

/** One query of a model, never run, that casts the filters of all its reads. */
const casterOf = (model: Readable): Query<unknown, unknown> => {
  const known = casters.get(model);
  if (known) return known;
  const caster = (model as Model<object>).find() as Query<unknown, unknown>;
  casters.set(model, caster);
  return caster;
};

const prepared = (model: Readable, call: string, filter: object): Record<string, unknown> => {
  refuseUnnamed(model, call, filter as Record<string, unknown>);
  return casterOf(model).cast(model as Model<unknown>, { ...filter }) as Record<string, unknown>;
};

/** One record, or null; `fields` are those of its View (`fieldsOf`). */
export const readOne = async <M extends Readable, F extends Fields<M>>(
  model: M,
  filter: Filter<M>,
  fields: F,
): Promise<Read<M, F> | null> =>
  (await model.collection.findOne(prepared(model, 'readOne', filter), { projection: fields })) as Read<M, F> | null;

/** The records of a page, or all that match. */
export const readMany = async <M extends Readable, F extends Fields<M>>(
  model: M,
  filter: Filter<M>,
  { fields, ...page }: Page & { fields: F },
): Promise<Read<M, F>[]> => {
  // One round trip for a page: the driver asks for 101 first and then for the rest.
  const options = { ...page, projection: fields, ...(page.limit ? { batchSize: page.limit } : {}) };
  const found = model.collection.find(prepared(model, 'readMany', filter), options);
  return (await found.toArray()) as unknown as Read<M, F>[];
};
