/** `If-Match`: a record is changed only at the version that its caller knows (decision 43). */
import type { Context } from 'koa';
import mongoose from 'mongoose';
import { type Expected, expecting } from '#shared/context.ts';
import { AppError } from '#shared/errors.ts';
import { otherVersion } from '#shared/models/plugins/expecting.ts';
import type { Endpoint } from './endpoint.ts';

type Versioned = NonNullable<Endpoint['record']>;
type Params = Record<string, string>;

/** `3`, `"3"` and `W/"3"` alike. */
const VERSION = /^(?:(?:W\/)?"(\d{1,15})"|(\d{1,15}))$/;

const refuse = (why: string) =>
  new AppError(422, 'INVALID', `If-Match: ${why}`).with({
    body: {
      errors: [{ path: 'If-Match', code: 'custom', message: why, param: 'If-Match', msg: why, location: 'headers' }],
    },
  });

const versionIn = (text: string): number => {
  const [, quoted, plain] = VERSION.exec(text.trim()) ?? [];
  const version = quoted ?? plain;
  if (version === undefined) throw refuse('one or more versions, as X-Record-Version tells them, or *');
  return Number(version);
};

/** The record that the path names, by a field of the parameter's name where it has one, else by its id. */
const keyOf = ({ in: collection, by }: Versioned, { project_id = '', ...params }: Params): Params => {
  const { schema } = mongoose.model(collection);
  const own = { [schema.path('id_project') ? 'id_project' : '_id']: project_id };
  return by ? { ...own, [schema.path(by) ? by : '_id']: params[by] ?? '' } : own;
};

interface Work<T> {
  params: Params;
  work: () => Promise<T>;
}

/** A call that found nothing to write must know its record all the same. */
const compare = async ({ collection, key, versions }: Expected): Promise<void> => {
  const record = await mongoose.model(collection).findOne(key, { __v: 1 }).lean<{ __v: number }>();
  if (!record || !versions.includes(record.__v)) throw otherVersion(record);
};

const atOneOf = async <T>(wanted: string, { record }: Endpoint, { params, work }: Work<T>): Promise<T> => {
  if (!record) throw refuse('this call changes no record of which versions are kept');
  if (wanted.trim() === '*') return work(); // it must be there, as always
  const versions = wanted.split(',').map(versionIn);
  const expected = { collection: record.in, key: keyOf(record, params), versions, met: false };
  const answer = await expecting(expected, work);
  if (!expected.met) await compare(expected);
  return answer;
};

/** Do `work` on the versions of its record that `If-Match` names. Errors: 412 for another one, 422 where it can not be honoured. */
export const atVersion = <T>({ headers, params }: Context, endpoint: Endpoint, work: () => Promise<T>): Promise<T> => {
  const { 'if-match': wanted } = headers;
  return wanted === undefined ? work() : atOneOf(wanted, endpoint, { params, work });
};
