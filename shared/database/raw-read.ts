/**
 * Reads plain records directly through the driver, for code that only returns them. Filters are cast by the schema and
 * must name `id_project`, as with mongoose. This is faster than mongoose, because a read creates no query object,
 * creates no document object and runs no hooks.
 */
import {
  type Collection,
  type Model,
  type Query,
  type QueryFilter,
  type Require_id,
  type Schema,
  type SchemaType,
  Types,
} from 'mongoose';
import { isId } from '../wire/view.ts';
import { assertTenant } from './plugins/tenant.ts';

/** The part of a model that a read needs. */
interface ReadableModel {
  modelName: string;
  schema: object;
  collection: Collection;
  castObject(record: object): unknown;
}

type RecordOf<M extends ReadableModel> = Require_id<ReturnType<M['castObject']>> & { __v: number };
type Projection<M extends ReadableModel> = { [K in keyof RecordOf<M>]?: 0 | 1 };
type Filter<M extends ReadableModel> = QueryFilter<ReturnType<M['castObject']>>;

type SelectedFields<F> =
  | { [K in keyof F]: F[K] extends 0 ? never : K }[keyof F]
  | (F extends { _id: 0 } ? never : '_id');

/** The selected fields of a record. */
type ProjectedRecord<M extends ReadableModel, F> = Pick<RecordOf<M>, SelectedFields<F> & keyof RecordOf<M>>;

/** The order, page and limits of a read. */
interface ReadOptions {
  sort?: Record<string, 1 | -1>;
  skip?: number;
  limit?: number;
  /** Time limit of the query in the database, in milliseconds. */
  maxTimeMS?: number;
  /** The index to use; without it, the query planner tries out several indexes and chooses one. */
  hint?: Record<string, 1 | -1>;
}

/** Default number of records per round trip when all records are read. */
const RECORDS_PER_BATCH = 500;

const casters = new WeakMap<ReadableModel, Query<unknown, unknown>>();

/** For each model, a query that is never run; it casts the filters of all reads. */
const casterOf = (model: ReadableModel): Query<unknown, unknown> => {
  const existing = casters.get(model);
  if (existing) return existing;
  const caster = (model as Model<object>).find() as Query<unknown, unknown>;
  casters.set(model, caster);
  return caster;
};

/** Schema options of a field that change a string when it is cast. */
const TEXT_SETTERS = ['lowercase', 'uppercase', 'trim', 'set'];

/**
 * Casts a string according to the schema, to itself or to an ObjectId. Returns undefined if the field needs mongoose's
 * cast.
 */
const castText = (model: ReadableModel, key: string, text: unknown): unknown => {
  if (typeof text !== 'string') return undefined;
  const path: SchemaType | undefined = (model.schema as Schema).path(key);
  if (!path) return undefined;
  if (path.instance === 'ObjectId') return isId(text) ? new Types.ObjectId(text) : undefined;
  return path.instance === 'String' && !TEXT_SETTERS.some((setter) => setter in path.options) ? text : undefined;
};

/** Casts a filter whose values are all strings, without a mongoose query. Returns undefined for any other filter. */
const castTexts = (model: ReadableModel, filter: object): Record<string, unknown> | undefined => {
  const cast: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(filter)) {
    cast[key] = castText(model, key, value);
    if (cast[key] === undefined) return undefined;
  }
  return cast;
};

const castByQuery = (model: ReadableModel, filter: object): Record<string, unknown> =>
  casterOf(model).cast(model as Model<unknown>, { ...filter }) as Record<string, unknown>;

const prepareFilter = (model: ReadableModel, call: string, filter: object): Record<string, unknown> => {
  assertTenant(model, call, filter as Record<string, unknown>);
  return castTexts(model, filter) ?? castByQuery(model, filter);
};

/** Reads one record, or null. `fields` is a projection, such as `projectionOf` returns for the schema of a response. */
export const readOne = async <M extends ReadableModel, F extends Projection<M>>(
  model: M,
  filter: Filter<M>,
  fields: F,
): Promise<ProjectedRecord<M, F> | null> =>
  (await model.collection.findOne(prepareFilter(model, 'readOne', filter), { projection: fields })) as ProjectedRecord<
    M,
    F
  > | null;

/** Reads a page of records, or all that match. */
export const readMany = async <M extends ReadableModel, F extends Projection<M>>(
  model: M,
  filter: Filter<M>,
  { fields, ...page }: ReadOptions & { fields: F },
): Promise<ProjectedRecord<M, F>[]> => {
  // Reads the page in one round trip; by default, the driver fetches 101 records first, then the rest.
  const options = { ...page, projection: fields, ...(page.limit ? { batchSize: page.limit } : {}) };
  const cursor = model.collection.find(prepareFilter(model, 'readMany', filter), options);
  return (await cursor.toArray()) as unknown as ProjectedRecord<M, F>[];
};

/** Iterates over all records that match, `batchSize` per round trip, for lists too long to be held in memory. */
export const readEach = <M extends ReadableModel, F extends Projection<M>>(
  model: M,
  filter: Filter<M>,
  { fields, batchSize = RECORDS_PER_BATCH, ...page }: ReadOptions & { fields: F; batchSize?: number },
): AsyncIterable<ProjectedRecord<M, F>> => {
  const options = { ...page, projection: fields, batchSize };
  return model.collection.find(prepareFilter(model, 'readEach', filter), options) as unknown as AsyncIterable<
    ProjectedRecord<M, F>
  >;
};

/** Counts the records that match, up to `limit`. */
export const countRecords = <M extends ReadableModel>(model: M, filter: Filter<M>, limit?: number): Promise<number> =>
  model.collection.countDocuments(prepareFilter(model, 'countRecords', filter), limit ? { limit } : {});
