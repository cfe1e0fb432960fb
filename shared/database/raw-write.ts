/**
 * Writes directly through the driver, for the few writes that delay the reply to a visitor's message. The rules of
 * every collection still apply: `id_project` is required, `__v` and `updatedAt` change, and events are stored. Values
 * are not cast.
 */
import { type ClientSession, type Collection, mongo, Types } from 'mongoose';
import { currentTime } from '../time/clock.ts';
import { isDuplicateKey } from './unique-keys.ts';
import { type Emission, serializeEvents } from './plugins/event-outbox.ts';
import { keywordsOf } from './plugins/search-keywords.ts';
import { assertTenant } from './plugins/tenant.ts';

/** The part of a model that a write needs. */
interface WritableModel {
  modelName: string;
  schema: object;
  collection: Collection;
}

type Fields = Record<string, unknown>;

/** The transaction, and the events that the write emits (see `emits()`). */
interface WriteOptions {
  session: ClientSession;
  emits?: Emission[];
}

const eventFields = (emits: Emission[] | undefined, owner: Fields): Fields =>
  emits ? { _events: serializeEvents(emits, owner) } : {};

type NewRecord = { _id: Types.ObjectId | string; id_project: string };

const toDocument = (model: WritableModel, record: NewRecord, emits?: Emission[]): Fields => {
  const owner = record as unknown as Fields;
  assertTenant(model, 'insertRecord', owner);
  return { ...owner, ...keywordsOf(model, owner), ...eventFields(emits, owner), _id: new Types.ObjectId(record._id) };
};

/**
 * Inserts a complete record. Throws MongoDB's duplicate key error if a record with the same unique key already exists.
 */
export const insertRecord = async (
  model: WritableModel,
  record: NewRecord,
  { session, emits }: WriteOptions,
): Promise<void> => {
  await model.collection.insertOne(toDocument(model, record, emits), { session });
};

/**
 * Inserts complete records with one command. Throws MongoDB's duplicate key error if a record with the same unique key
 * already exists.
 */
export const insertRecords = async (
  model: WritableModel,
  records: NewRecord[],
  { session, emits }: WriteOptions,
): Promise<void> => {
  const documents = records.map((record) => toDocument(model, record, emits));
  if (documents.length) await model.collection.insertMany(documents, { session, ordered: false });
};

const hasOnlyDuplicates = (error: unknown): boolean =>
  error instanceof mongo.MongoBulkWriteError && [error.writeErrors].flat().every(isDuplicateKey);

/**
 * Inserts complete documents with one command, and skips those whose unique keys already exist. Returns for each
 * document whether it was inserted.
 */
export const insertEachMissing = async ({ collection }: WritableModel, documents: Fields[]): Promise<boolean[]> => {
  if (!documents.length) return [];
  try {
    await collection.insertMany(documents, { ordered: false });
    return documents.map(() => true);
  } catch (error) {
    if (!hasOnlyDuplicates(error)) throw error;
    const duplicates = [(error as mongo.MongoBulkWriteError).writeErrors].flat().map(({ index }) => index);
    return documents.map((_, index) => !duplicates.includes(index));
  }
};

/** Like `insertEachMissing`, but returns the number of inserted documents. */
export const insertMissing = async (model: WritableModel, documents: Fields[]): Promise<number> =>
  (await insertEachMissing(model, documents)).filter(Boolean).length;

/**
 * Inserts complete records, without a transaction, and skips those whose unique keys already exist. Each inserted
 * record emits the events. Returns the number of inserted records.
 */
export const insertMissingRecords = (
  model: WritableModel,
  records: NewRecord[],
  { emits }: Pick<WriteOptions, 'emits'>,
): Promise<number> =>
  insertMissing(
    model,
    records.map((record) => toDocument(model, record, emits)),
  );

/** An update of one record; `fields` is the projection of the result. */
interface RecordUpdate {
  filter: Fields;
  set: Fields;
  increments?: Record<string, number>;
  fields: Record<string, 0 | 1>;
}

/** Updates the one record that matches and returns its new state; null if there is none. */
export const updateRecord = async (
  model: WritableModel,
  { filter, set, increments, fields }: RecordUpdate,
  { session, emits }: WriteOptions,
): Promise<Fields | null> => {
  assertTenant(model, 'updateRecord', filter);
  const update = {
    $set: { ...set, updatedAt: currentTime(), ...eventFields(emits, filter) },
    $inc: { ...increments, __v: 1 },
  };
  return model.collection.findOneAndUpdate(filter, update, { session, returnDocument: 'after', projection: fields });
};
