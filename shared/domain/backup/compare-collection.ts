/** Compares a collection of the running database with its backup. */
import { isDeepStrictEqual } from 'node:util';
import { mongo } from 'mongoose';
import {
  countAll,
  decodeExactly,
  findBson,
  idText,
  readBson,
  readIndexes,
} from '../../database/collection-documents.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { inBatches } from './batches.ts';
import { hashDocuments } from './bson-file.ts';
import type { CollectionEntry } from './manifest.ts';

/** Fields that a restore, or the first start after it, changes. `*` means all fields. */
const ADAPTED_FIELDS: Record<string, string[] | '*'> = {
  kb_namespaces: ['indexId', 'copies', 'updatedAt', '__v'],
  relays: '*',
};

/** How the documents of a collection differ from those of the backup. */
export interface Differences {
  missing: number;
  /** Missing documents whose retention time, according to the running database, has ended since the backup. */
  expired: number;
  added: number;
  changed: number;
  /** Documents that differ only in fields that a restore adapts to this database. */
  adapted: number;
  /** The ids of the first documents that are missing or changed, as extended JSON. */
  examples: string[];
}

const MAX_EXAMPLES = 5;
const MS_PER_SECOND = 1000;

const withoutFields = (document: mongo.BSON.Document, fields: string[]): unknown =>
  mongo.BSON.EJSON.serialize(Object.fromEntries(Object.entries(document).filter(([name]) => !fields.includes(name))));

const isAdapted = (name: string, before: Buffer, now: Buffer): boolean => {
  const fields = ADAPTED_FIELDS[name];
  if (!fields || fields === '*') return fields === '*';
  return isDeepStrictEqual(withoutFields(decodeExactly(before), fields), withoutFields(decodeExactly(now), fields));
};

/** The name and the indexes of a collection of the running database. */
type RunningCollection = Pick<CollectionEntry, 'name' | 'indexes'>;

/** Whether the document has expired according to a TTL index, so that MongoDB deletes it. */
const isExpired = (document: mongo.BSON.Document, { indexes }: RunningCollection): boolean =>
  indexes.some(({ key, expireAfterSeconds }) => {
    const [field = ''] = Object.keys(key as object);
    const start: unknown = document[field];
    return (
      typeof expireAfterSeconds === 'number' &&
      start instanceof Date &&
      start.getTime() + expireAfterSeconds * MS_PER_SECOND <= currentTimeMs()
    );
  });

const addExample = ({ examples }: Differences, id: string): void => {
  if (examples.length < MAX_EXAMPLES) examples.push(id);
};

const compareBatch = async (
  collection: RunningCollection,
  batch: Buffer[],
  differences: Differences,
): Promise<number> => {
  const documents = batch.map(decodeExactly);
  const found = await findBson(collection.name, documents);
  for (const [index, document] of documents.entries()) {
    const id = idText(document);
    const [before, now] = [batch[index] as Buffer, found.get(id)];
    if (now?.equals(before)) continue;
    if (now && isAdapted(collection.name, before, now)) differences.adapted += 1;
    else if (!now && isExpired(document, collection)) differences.expired += 1;
    else {
      differences[now ? 'changed' : 'missing'] += 1;
      addExample(differences, id);
    }
  }
  return found.size;
};

/** Whether the collection has the same documents as at the time of the backup, with the same bytes. */
export const isUnchanged = async ({ name, documents, hash }: CollectionEntry): Promise<boolean> =>
  (await countAll(name)) === documents && (await hashDocuments(readBson(name))) === hash;

/** Compares the documents of a collection one by one with those of its backup. */
export const findDifferences = async (
  { name }: CollectionEntry,
  backup: AsyncIterable<Buffer>,
): Promise<Differences> => {
  const differences = { missing: 0, expired: 0, added: 0, changed: 0, adapted: 0, examples: [] };
  const collection = { name, indexes: await readIndexes(name) };
  let found = 0;
  for await (const batch of inBatches(backup)) found += await compareBatch(collection, batch, differences);
  differences.added = Math.max(0, (await countAll(name)) - found);
  return differences;
};
