import type { ClientSession, Query, Schema } from 'mongoose';
import { type Expected, expectation } from '../../context.ts';
import { AppError } from '../../errors.ts';

const WRITES = ['updateOne', 'updateMany', 'findOneAndUpdate', 'deleteOne', 'deleteMany', 'findOneAndDelete'] as const;

type Write = Query<unknown, unknown>;
type Fields = Record<string, unknown>;

/** 412: the record is there in another version than its caller knows, or not at all. */
export const otherVersion = (record?: { __v?: number } | null) => {
  const version = String(record?.__v);
  return record
    ? new AppError(412, 'VERSION', `If-Match: the record was changed meanwhile, its version is ${version}`).with({
        headers: { 'X-Record-Version': version },
      })
    : new AppError(412, 'VERSION', 'If-Match: there is no such record');
};

/** A record is named by its id, or by a list of just that. */
const only = (value: unknown): unknown => {
  const { $in } = (value ?? {}) as { $in?: unknown[] };
  return $in?.length === 1 ? $in[0] : value;
};

const isOwn = ({ collection, key }: Expected, model: string, fields: Fields): boolean =>
  collection === model && Object.entries(key).every(([name, value]) => String(only(fields[name])) === value);

/** What is still to be found as expected: the record of the call until its first write. */
const pending = (model: string, fields: Fields): Expected | undefined => {
  const expected = expectation();
  return expected && !expected.met && isOwn(expected, model, fields) ? expected : undefined;
};

const narrowed = (filter: Fields, __v: object): Fields => ({
  ...filter,
  $and: [...((filter.$and as object[] | undefined) ?? []), { __v }],
});

const hasHit = (result: unknown): boolean => {
  const { matchedCount, deletedCount } = (result ?? { matchedCount: 0 }) as Record<string, number | undefined>;
  return (matchedCount ?? deletedCount) !== 0;
};

/** What it would have written but for the version. */
const missed = (query: Write, filter: Fields, { versions }: Expected) => {
  const { session } = query.getOptions() as { session?: ClientSession };
  const other = narrowed(filter, { $nin: versions });
  return query.model.findOne(other, { __v: 1 }, { session }).lean<{ __v?: number }>();
};

/**
 * The first write of the record that a call is about names its version in the filter, so that it is changed as its caller knows it or
 * not at all, whoever writes at the same time. A write that finds it otherwise throws 412; one that would have found nothing anyway is
 * left to its verb.
 */
export const expecting = (schema: Schema) => {
  const filters = new WeakMap<Write, Fields>();
  const check = async (query: Write, hit: boolean): Promise<void> => {
    const [filter, expected] = [filters.get(query), expectation()];
    if (!filter || !expected) return;
    const other = hit ? null : await missed(query, filter, expected);
    if (other) throw otherVersion(other);
    expected.met ||= hit;
  };
  schema.pre([...WRITES], function expect(this: Write) {
    const filter = { ...this.getFilter() };
    const expected = pending(this.model.modelName, filter);
    if (!expected) return;
    filters.set(this, filter);
    this.setQuery(narrowed(filter, { $in: expected.versions }));
  });
  schema.post([...WRITES], function met(this: Write, result: unknown) {
    return check(this, hasHit(result));
  });
  // `orFail` throws before anybody can look at the result.
  const failing = { document: false, query: true, errorHandler: true } as const;
  schema.post([...WRITES], failing, async function met(this: Write, error) {
    if (error instanceof AppError) await check(this, false);
  });
  schema.pre('save', function expect() {
    if (this.isNew && expectation() && pending(this.collection.name, this.toObject())) throw otherVersion();
  });
};
