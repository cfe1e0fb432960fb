/** Checks the record version that `If-Match` expects, as part of the first write to that record. */
import type { ClientSession, Query, Schema } from 'mongoose';
import { type ExpectedVersion, expectedVersion } from '../../context.ts';
import { AppError } from '../../errors.ts';

const WRITE_OPERATIONS = [
  'updateOne',
  'updateMany',
  'findOneAndUpdate',
  'deleteOne',
  'deleteMany',
  'findOneAndDelete',
] as const;

type WriteQuery = Query<unknown, unknown>;
type Fields = Record<string, unknown>;

/**
 * Builds the 412 for a record that does not exist, or has an unexpected version, which the error reports.
 */
export const versionMismatch = (record?: { __v?: number } | null) => {
  const version = String(record?.__v);
  return record
    ? new AppError(412, 'VERSION_MISMATCH', `If-Match: the record has changed; its version is ${version}`).with({
        headers: { 'X-Record-Version': version },
      })
    : new AppError(412, 'VERSION_MISMATCH', 'If-Match: the record does not exist');
};

/** The value of a filter field; unwraps `{ $in: [value] }`. */
const unwrapSingle = (value: unknown): unknown => {
  const { $in } = (value ?? {}) as { $in?: unknown[] };
  return $in?.length === 1 ? $in[0] : value;
};

const isExpectedRecord = ({ collection, key }: ExpectedVersion, model: string, fields: Fields): boolean =>
  collection === model && Object.entries(key).every(([name, value]) => String(unwrapSingle(fields[name])) === value);

/**
 * Returns the expected version that a write must match; undefined if none is expected, or if an earlier write has
 * matched it.
 */
const unmatchedExpectation = (model: string, fields: Fields): ExpectedVersion | undefined => {
  const expected = expectedVersion();
  return expected && !expected.matched && isExpectedRecord(expected, model, fields) ? expected : undefined;
};

const withVersionFilter = (filter: Fields, __v: object): Fields => ({
  ...filter,
  $and: [...((filter.$and as object[] | undefined) ?? []), { __v }],
});

/**
 * Whether a write matched a record. The result of `findOneAnd…` is a document if it did, and null otherwise; the other
 * operations return a count.
 */
const hasMatched = (result: unknown): boolean => {
  const { matchedCount, deletedCount } = (result ?? { matchedCount: 0 }) as Record<string, number | undefined>;
  return (matchedCount ?? deletedCount) !== 0;
};

/** The record that the write would have matched without the version; null if there is none. */
const findOtherVersion = (query: WriteQuery, filter: Fields, { versions }: ExpectedVersion) => {
  const { session } = query.getOptions() as { session?: ClientSession };
  const otherVersionFilter = withVersionFilter(filter, { $nin: versions });
  return query.model.findOne(otherVersionFilter, { __v: 1 }, { session }).lean<{ __v?: number }>();
};

/**
 * Adds the expected versions to the filter of the first write to the expected record, so that concurrent writes cannot
 * interfere. If the record has another version, the write throws 412. If no record matches the rest of the filter, the
 * write has the same result as without `If-Match`: if the handler then throws 404, because the record was deleted, the
 * call returns 404. If the handler succeeds although no write has matched, `if-match-header.ts` throws 412 for a record
 * that does not exist or has another version.
 */
export const ifMatch = (schema: Schema) => {
  const filters = new WeakMap<WriteQuery, Fields>();
  const check = async (query: WriteQuery, matched: boolean): Promise<void> => {
    const [filter, expected] = [filters.get(query), expectedVersion()];
    if (!filter || !expected) return;
    const otherVersion = matched ? null : await findOtherVersion(query, filter, expected);
    if (otherVersion) throw versionMismatch(otherVersion);
    expected.matched ||= matched;
  };
  schema.pre([...WRITE_OPERATIONS], function addVersionFilter(this: WriteQuery) {
    const filter = { ...this.getFilter() };
    const expected = unmatchedExpectation(this.model.modelName, filter);
    if (!expected) return;
    filters.set(this, filter);
    this.setQuery(withVersionFilter(filter, { $in: expected.versions }));
  });
  schema.post([...WRITE_OPERATIONS], function checkResult(this: WriteQuery, result: unknown) {
    return check(this, hasMatched(result));
  });
  // If no record matches, `orFail` throws before the post hook above runs, so the error is checked here.
  const errorHandlerOptions = { document: false, query: true, errorHandler: true } as const;
  schema.post([...WRITE_OPERATIONS], errorHandlerOptions, async function checkError(this: WriteQuery, error) {
    if (error instanceof AppError) await check(this, false);
  });
  schema.pre('save', function rejectNewRecord() {
    if (this.isNew && expectedVersion() && unmatchedExpectation(this.collection.name, this.toObject()))
      throw versionMismatch();
  });
};
