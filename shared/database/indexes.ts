/** Creates the collections of the models and their indexes. */
import { createHash } from 'node:crypto';
import mongoose, { type mongo } from 'mongoose';
import { models } from './collection.ts';

/** MongoDB's error codes for an index that exists with other options, or whose name exists with other keys. */
const INDEX_CONFLICTS = [85, 86];

type AnyModel = ReturnType<typeof models>[number];

/** The index that every collection has. Creating it creates the collection. */
const ID_INDEX: mongo.IndexDescription = { key: { _id: 1 }, name: '_id_' };

const indexesOf = (model: AnyModel): mongo.IndexDescription[] =>
  model.schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);

/** Creates a collection with its indexes, or the indexes that it lacks, with one command. */
const prepareCollection = async (model: AnyModel): Promise<void> => {
  const indexes = indexesOf(model);
  try {
    await model.collection.createIndexes(indexes.length > 0 ? indexes : [ID_INDEX]);
  } catch (error) {
    if (!INDEX_CONFLICTS.includes((error as { code?: number }).code ?? 0)) throw error;
    await model.syncIndexes(); // the definition has changed, or a setting in it, such as a retention time
  }
};

/**
 * Creates the missing collections and indexes of all loaded models, and replaces indexes whose options have changed. An
 * index whose keys have changed is created under another name; `npm run cli -- doctor` reports the old one.
 */
export const createCollectionsAndIndexes = async (): Promise<void> => {
  await Promise.all(models().map(prepareCollection));
};

/** A digest of the collections and indexes that the loaded models define; a starting process detects changes by it. */
export const indexDigest = (): string => {
  const definitions = models().map((model) => [model.collection.collectionName, indexesOf(model)] as const);
  const sorted = definitions.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
};

/** The number of indexes in the database, excluding the one that every collection has. */
export const countIndexes = async (): Promise<number> => {
  const { indexes = 0, collections = 0 } = (await mongoose.connection.db?.stats()) ?? {};
  return indexes - collections;
};

/** The indexes of a collection that differ from their definitions. */
interface IndexDifference {
  collection: string;
  missing: string[];
  superfluous: string[];
}

const differenceOf = async (model: AnyModel): Promise<IndexDifference> => {
  const { toCreate, toDrop } = await model.diffIndexes();
  const missing = toCreate.map((key: object) => Object.keys(key).join(', '));
  return { collection: model.collection.collectionName, missing, superfluous: toDrop };
};

/** Compares the indexes in the database with those of the loaded models. Returns only collections that differ. */
export const findIndexDifferences = async (): Promise<IndexDifference[]> => {
  const differences = await Promise.all(models().map(differenceOf));
  return differences.filter(({ missing, superfluous }) => missing.length || superfluous.length);
};
