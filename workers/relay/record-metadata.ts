/**
 * Reads the projects and sizes of records before the records themselves, so that the relay can limit the bytes that it
 * reads at once.
 */
import mongoose from 'mongoose';
import { Outbox } from '#shared/models/outbox.ts';
import type { DecodedEvent } from './decode-events.ts';
import type { RecordKey } from './payload-readers.ts';

/** The project and the size of a record. */
export interface RecordMetadata {
  id_project: string;
  bytes: number;
  /** The last view of a deleted record (the record as events contained it), if the `outbox` collection contains it. */
  view?: object;
}

/** A key that identifies a record among the records of all collections. */
export const recordKey = ({ model, key }: { model: string; key: RecordKey }): string => `${model}/${String(key)}`;

const metadataIn = async (model: string, keys: RecordKey[]): Promise<[string, RecordMetadata][]> => {
  const stages = [
    { $match: { _id: { $in: keys } } },
    { $project: { id_project: { $ifNull: ['$id_project', { $toString: '$_id' }] }, bytes: { $bsonSize: '$$ROOT' } } },
  ];
  const found = await mongoose
    .model(model)
    .aggregate<{ _id: RecordKey } & RecordMetadata>(stages, { anyProject: true } as object);
  return found.map(({ _id: key, ...metadata }) => [recordKey({ model, key }), metadata]);
};

/** Reads the metadata of deleted records from the `outbox` collection. */
export const metadataOfDeleted = async (deleted: DecodedEvent[]): Promise<[string, RecordMetadata][]> => {
  const filter = { record: { $in: deleted.map(({ record }) => record) } };
  const found = await Outbox.find(filter, { id_project: 1, record: 1, view: 1 }, { anyProject: true }).lean();
  const byRecord = new Map(found.map((entry) => [entry.record, entry]));
  return deleted.flatMap((event) => {
    const entry = byRecord.get(event.record);
    return entry ? [[recordKey(event), { id_project: entry.id_project, bytes: 0, view: entry.view }]] : [];
  });
};

/** Up to this number of records of unknown size are read without a query for their sizes: so few fit into memory. */
const MAX_UNKNOWN_SIZES = 8;

/**
 * Given the events that lack the metadata of their records, returns those whose metadata must be loaded: all of them if
 * the project of one is unknown or if there are many records, otherwise none.
 */
const eventsToLoad = (unknown: DecodedEvent[]): DecodedEvent[] =>
  unknown.some(({ id_project }) => !id_project) || new Set(unknown.map(recordKey)).size > MAX_UNKNOWN_SIZES
    ? unknown
    : [];

/**
 * Returns the metadata of the events' records. The metadata of inserted or replaced records is in the events. That of
 * other records is read from the database, or from the `outbox` collection if the record is deleted, but only if a
 * project is unknown or if there are many records.
 */
export const loadMetadata = async (events: DecodedEvent[]): Promise<Map<string, RecordMetadata>> => {
  const inserted = events.flatMap(({ model, key, id_project, bytes }): [string, RecordMetadata][] =>
    id_project && bytes !== undefined ? [[recordKey({ model, key }), { id_project, bytes }]] : [],
  );
  const known = new Map(inserted);
  const stored = eventsToLoad(events.filter((event) => !event.view && !known.has(recordKey(event))));
  const byModel = Map.groupBy(stored, ({ model }) => model);
  const found = await Promise.all(
    [...byModel].map(([model, modelEvents]) =>
      metadataIn(
        model,
        modelEvents.map(({ key }) => key),
      ),
    ),
  );
  const metadata = new Map([...known, ...found.flat()]);
  const deleted = stored.filter((event) => !metadata.has(recordKey(event)));
  if (deleted.length) for (const [key, value] of await metadataOfDeleted(deleted)) metadata.set(key, value);
  return metadata;
};
