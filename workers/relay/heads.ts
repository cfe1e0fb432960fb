/** What must be known of records before they are read: whose they are, and how large. */
import mongoose from 'mongoose';
import type { Key } from '#shared/domain/events/shown.ts';
import { Outbox } from '#shared/models/outbox.ts';
import type { Told } from './decode.ts';

/** A record in short. */
export interface Head {
  id_project: string;
  bytes: number;
  /** What it was, where it is gone and somebody told so. */
  shown?: object;
}

/** The name under which a record is found among those of all models. */
export const nameOf = ({ model, key }: { model: string; key: Key }): string => `${model}/${String(key)}`;

const headsIn = async (model: string, keys: Key[]): Promise<[string, Head][]> => {
  const stages = [
    { $match: { _id: { $in: keys } } },
    { $project: { id_project: { $ifNull: ['$id_project', { $toString: '$_id' }] }, bytes: { $bsonSize: '$$ROOT' } } },
  ];
  const found = await mongoose.model(model).aggregate<{ _id: Key } & Head>(stages, { anyProject: true } as object);
  return found.map(({ _id: key, ...head }) => [nameOf({ model, key }), head]);
};

const headsOfGone = async (gone: Told[]): Promise<[string, Head][]> => {
  const told = { record: { $in: gone.map(({ record }) => record) } };
  const left = await Outbox.find(told, { id_project: 1, record: 1, shown: 1 }, { anyProject: true }).lean();
  const byRecord = new Map(left.map((each) => [each.record, each]));
  return gone.flatMap((each) => {
    const last = byRecord.get(each.record);
    return last ? [[nameOf(each), { id_project: last.id_project, bytes: 0, shown: last.shown }]] : [];
  });
};

/** The records of these events; those that are gone as their deletion told them, if it did. */
export const headsOf = async (events: Told[]): Promise<Map<string, Head>> => {
  const stored = events.filter(({ shown }) => !shown);
  const byModel = Map.groupBy(stored, ({ model }) => model);
  const found = await Promise.all(
    [...byModel].map(([model, some]) =>
      headsIn(
        model,
        some.map(({ key }) => key),
      ),
    ),
  );
  const heads = new Map(found.flat());
  const gone = stored.filter((each) => !heads.has(nameOf(each)));
  if (gone.length) for (const [name, head] of await headsOfGone(gone)) heads.set(name, head);
  return heads;
};
