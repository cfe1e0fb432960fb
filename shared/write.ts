/**
 * Plain writes straight from the driver, for the few that every visitor waits for. They keep the rules of every collection: the
 * project is named, `__v` and `updatedAt` move, events are told. Nothing is cast: what is written is as its builder made it.
 */
import { type ClientSession, type Collection, Types } from 'mongoose';
import { type Emission, textOf } from './models/plugins/emitting.ts';
import { refuseUnnamed } from './models/plugins/tenant.ts';

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

const stored = (model: Writable, record: New, { emits }: Within): Fields => {
  const owner = record as unknown as Fields;
  refuseUnnamed(model, 'insert', owner);
  return { ...owner, ...told(emits, owner), _id: new Types.ObjectId(record._id) };
};

/** Store a whole new record. */
export const insert = async (model: Writable, record: New, within: Within): Promise<void> => {
  await model.collection.insertOne(stored(model, record, within), { session: within.session });
};

/** Store whole new records in their order; each tells the events. */
export const insertMany = async (model: Writable, records: New[], within: Within): Promise<void> => {
  await model.collection.insertMany(
    records.map((record) => stored(model, record, within)),
    { session: within.session },
  );
};

/** Set fields of the one record that matches, and tell it as it is then; null where none does. */
export const change = async (
  model: Writable,
  { filter, set, fields }: { filter: Fields; set: Fields; fields: Record<string, 0 | 1> },
  { session, emits }: Within,
): Promise<Fields | null> => {
  refuseUnnamed(model, 'change', filter);
  const update = { $set: { ...set, updatedAt: new Date(), ...told(emits, filter) }, $inc: { __v: 1 } };
  return model.collection.findOneAndUpdate(filter, update, { session, returnDocument: 'after', projection: fields });
};
