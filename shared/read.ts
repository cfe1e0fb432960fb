/**
 * Plain records straight from the driver, for whatever only shows them. The filter is cast by the model's schema and
 * must name its `id_project`, as with mongoose; no query, document or hook is made for each read (design 8).
 */
import {
  type Collection,
  type Model,
  type Query,
  type QueryFilter,
  type Require_id,
  type Schema,
  Types,
} from 'mongoose';
import { refuseUnnamed } from './models/plugins/tenant.ts';
import { isId } from './view.ts';

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
  /** The database gives up after so long. */
  maxTimeMS?: number;
  /** The index by which it looks, where it would guess by the first records it meets. */
  hint?: Record<string, 1 | -1>;
}

/** Records of one round trip where all are read. */
const EACH = 500;

const casters = new WeakMap<Readable, Query<unknown, unknown>>();

/** One query of a model, never run, that casts the filters of all its reads. */
const casterOf = (model: Readable): Query<unknown, unknown> => {
  const known = casters.get(model);
  if (known) return known;
  const caster = (model as Model<object>).find() as Query<unknown, unknown>;
  casters.set(model, caster);
  return caster;
};

/** What casting makes of a text by the schema's own rules: itself, or an id; undefined for whatever needs more. */
const castText = (model: Readable, key: string, text: unknown): unknown => {
  const path = (model.schema as Schema).paths[key] as { instance: string; setters: unknown[] } | undefined;
  if (!path || typeof text !== 'string') return undefined;
  // An id has no setter but the one by which a new record is given its own.
  if (path.instance === 'ObjectId') return isId(text) ? new Types.ObjectId(text) : undefined;
  return path.instance === 'String' && !path.setters.length ? text : undefined;
};

/** Most reads ask by texts alone, which need no query to be cast. */
const castTexts = (model: Readable, filter: object): Record<string, unknown> | undefined => {
  const cast: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(filter)) {
    cast[key] = castText(model, key, value);
    if (cast[key] === undefined) return undefined;
  }
  return cast;
};

const castByQuery = (model: Readable, filter: object): Record<string, unknown> =>
  casterOf(model).cast(model as Model<unknown>, { ...filter }) as Record<string, unknown>;

const prepared = (model: Readable, call: string, filter: object): Record<string, unknown> => {
  refuseUnnamed(model, call, filter as Record<string, unknown>);
  return castTexts(model, filter) ?? castByQuery(model, filter);
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

/** All records that match, one after the other, for lists that are too long to be held: read no faster than they are taken, `batch` of them in a round trip. */
export const readEach = <M extends Readable, F extends Fields<M>>(
  model: M,
  filter: Filter<M>,
  { fields, batch = EACH, ...page }: Page & { fields: F; batch?: number },
): AsyncIterable<Read<M, F>> => {
  const options = { ...page, projection: fields, batchSize: batch };
  return model.collection.find(prepared(model, 'readEach', filter), options) as unknown as AsyncIterable<Read<M, F>>;
};

/** How many records match: exactly, or up to `limit`. */
export const countOf = <M extends Readable>(model: M, filter: Filter<M>, limit?: number): Promise<number> =>
  model.collection.countDocuments(prepared(model, 'countOf', filter), limit ? { limit } : {});
