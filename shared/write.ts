/**
 * Plain writes straight from the driver, for the few that every visitor waits for. They keep the rules of every collection: the
 * project is named, `__v` and `updatedAt` move, events are told. Nothing is cast: what is written is as its builder made it.
 */
import { type ClientSession, type Collection, mongo, Types } from 'mongoose';
import { type Emission, textOf } from './models/plugins/emitting.ts';
import { refuseUnnamed } from './models/plugins/tenant.ts';
import { isDuplicate } from './mongo.ts';
import { wordsBeside } from './models/plugins/worded.ts';

/** As much of a model as writing needs. */
interface Writable {
  modelName: string;
  schema: object;
  collection: Collection;
}

type Fields = Record<string, unknown>;

/** Part of a transaction, and what it tells (`emits()`). */
interface Within {
  session: ClientSession;
  emits?: Emission[];
}

const told = (emits: Emission[] | undefined, owner: Fields): Fields => (emits ? { _events: textOf(emits, owner) } : {});

type New = { _id: Types.ObjectId | string; id_project: string };

const stored = (model: Writable, record: New, emits?: Emission[]): Fields => {
  const owner = record as unknown as Fields;
  refuseUnnamed(model, 'insert', owner);
  return { ...owner, ...wordsBeside(model, owner), ...told(emits, owner), _id: new Types.ObjectId(record._id) };
};

/** Store a whole new record. */
export const insert = async (model: Writable, record: New, { session, emits }: Within): Promise<void> => {
  await model.collection.insertOne(stored(model, record, emits), { session });
};

const isOnlyDuplicates = (error: unknown): boolean =>
  error instanceof mongo.MongoBulkWriteError && [error.writeErrors].flat().every(isDuplicate);

/** Store whole new records, each by itself, where none with its unique keys is there; each tells the events. */
export const insertMissing = async (
  model: Writable,
  records: New[],
  { emits }: Pick<Within, 'emits'>,
): Promise<void> => {
  const all = records.map((record) => stored(model, record, emits));
  try {
    await model.collection.insertMany(all, { ordered: false });
  } catch (error) {
    if (!isOnlyDuplicates(error)) throw error;
  }
};

/** What is written to one record. */
interface Update {
  filter: Fields;
  set: Fields;
  add?: Record<string, number>;
  fields: Record<string, 0 | 1>;
}

/** Set fields of the one record that matches, and tell it as it is then; null where none does. */
export const change = async (
  model: Writable,
  { filter, set, add, fields }: Update,
  { session, emits }: Within,
): Promise<Fields | null> => {
  refuseUnnamed(model, 'change', filter);
  const update = { $set: { ...set, updatedAt: new Date(), ...told(emits, filter) }, $inc: { ...add, __v: 1 } };
  return model.collection.findOneAndUpdate(filter, update, { session, returnDocument: 'after', projection: fields });
};
