/** Implements `If-Match`: a call changes a record only if the record has one of the versions in the header. */
import mongoose from 'mongoose';
import { type ExpectedVersion, withExpectedVersion } from '#shared/context.ts';
import { versionMismatch } from '#shared/database/plugins/if-match.ts';
import { invalidParameter } from '#shared/errors.ts';
import type { Endpoint } from '../endpoint.ts';

type Params = Record<string, string>;

/** Accepts `3`, `"3"` and `W/"3"`. */
const VERSION_TAG = /^(?:(?:W\/)?"(\d{1,15})"|(\d{1,15}))$/;

const invalidIfMatch = (message: string) => invalidParameter({ path: 'If-Match', message, location: 'headers' });

const parseVersion = (text: string): number => {
  const [, quoted, plain] = VERSION_TAG.exec(text.trim()) ?? [];
  const version = quoted ?? plain;
  if (version === undefined)
    throw invalidIfMatch('If-Match must be * or a comma-separated list of versions (see X-Record-Version)');
  return Number(version);
};

/**
 * Returns the filter of the record that the path identifies. The path parameter is compared with the field of the same
 * name, or with `_id` if the schema has no such field.
 */
const recordKey = (
  { collection, parameter, project = '' }: NonNullable<Endpoint['record']>,
  { project_id = project, ...params }: Params,
): Params => {
  const { schema } = mongoose.model(collection);
  const projectFilter = { [schema.path('id_project') ? 'id_project' : '_id']: project_id };
  if (!parameter) return projectFilter;
  return { ...projectFilter, [schema.path(parameter) ? parameter : '_id']: params[parameter] ?? '' };
};

/**
 * Throws 412 if the record has none of the versions. Used only after a call that has not written the record, for
 * example because the call changed nothing. The plugin `if-match` checks the version as part of a write.
 */
const assertRecordVersion = async ({ collection, key, versions }: ExpectedVersion): Promise<void> => {
  const record = await mongoose.model(collection).findOne(key, { __v: 1 }).lean<{ __v: number }>();
  if (!record || !versions.includes(record.__v)) throw versionMismatch(record);
};

/**
 * Runs `work`, which changes `record`, under an `If-Match` header. Throws 412 if the record has none of the versions in
 * the header, 422 for an invalid or unsupported header.
 */
export const runAtVersions = async <T>(
  ifMatch: string,
  { record, params }: { record: Endpoint['record']; params: Params },
  work: () => Promise<T>,
): Promise<T> => {
  if (!record) throw invalidIfMatch('If-Match is not supported by this endpoint: it changes no versioned record');
  if (ifMatch.trim() === '*') return work(); // the handler itself throws 404 for a missing record
  const versions = ifMatch.split(',').map(parseVersion);
  const { collection } = record;
  const expected = { collection, key: recordKey(record, params), versions, matched: false };
  const result = await withExpectedVersion(expected, work);
  if (!expected.matched) await assertRecordVersion(expected);
  return result;
};
