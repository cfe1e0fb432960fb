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

/** Store a whole new record. */
export const insert = async (
  model: Writable,
  record: { _id: Types.ObjectId | string; id_project: string },
  { session, emits }: Within,
): Promise<void> => {
  const owner = record as unknown as Fields;
  refuseUnnamed(model, 'insert', owner);
  const stored = { ...owner, ...told(emits, owner), _id: new Types.ObjectId(record._id) };
  await model.collection.insertOne(stored, { session });
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
