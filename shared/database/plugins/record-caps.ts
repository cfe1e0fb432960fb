/** Limits the number of records per project. */
import type { ClientSession, Schema } from 'mongoose';
import { AppError } from '../../errors.ts';

/** Maximum number of records per project, for collections that are filled by hand or listed without pages. */
export const RECORD_CAPS: Readonly<Record<string, number>> = {
  departments: 1000,
  groups: 1000,
  bots: 200,
  subscriptions: 200,
  triggers: 100,
  pending_invitations: 1000,
  kb_namespaces: 200,
  tags: 1000,
  canned: 2000,
  segments: 1000,
  properties: 500,
};

/** The records that count toward the cap, in collections that also hold other records, such as published copies. */
const COUNTED_RECORDS: Readonly<Record<string, object>> = {
  bots: { root_id: { $exists: false } },
};

const limitReachedError = (name: string, cap: number) =>
  new AppError(403, 'LIMIT_REACHED', `${name}: a project may have at most ${cap}; delete unused ones first`).with({
    body: { plan_limit: cap },
  });

/** The part of a model that the check uses. */
interface Countable {
  countDocuments(filter: object, options: object): PromiseLike<number> & { limit(max: number): PromiseLike<number> };
}

/** The part of a new record that the check uses. */
interface NewRecord {
  _id: string;
  id_project: string;
  isNew: boolean;
  constructor: unknown;
  $session(): ClientSession | null;
}

const hasReachedCap = async (record: NewRecord, name: string, cap: number): Promise<boolean> => {
  const { _id, id_project } = record;
  const model = record.constructor as Countable;
  const counted = { id_project, ...COUNTED_RECORDS[name] };
  const session = record.$session();
  if ((await model.countDocuments(counted, { session }).limit(cap)) < cap) return false;
  // An earlier attempt may have created the record with this id. Then this call adds none, and is not rejected.
  return !(await model.countDocuments({ _id, id_project }, { session }));
};

/**
 * Rejects a new record (403) if the project already has as many as `RECORD_CAPS` allows, trashed records included. The
 * count and the insert are not atomic, so concurrent calls may exceed the cap slightly. Bulk writes are not checked.
 */
export const capRecords = (schema: Schema, name: string): void => {
  const cap = RECORD_CAPS[name];
  if (cap === undefined) return;
  schema.pre('save', async function rejectBeyondCap() {
    if (this.isNew && (await hasReachedCap(this as unknown as NewRecord, name, cap)))
      throw limitReachedError(name, cap);
  });
};
