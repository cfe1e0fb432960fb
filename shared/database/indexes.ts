/** Creates the collections of the models and their indexes. */
import mongoose, { type mongo } from 'mongoose';
import { models } from './collection.ts';

/** The codes with which MongoDB rejects an index that exists with other options, or under its name with other keys. */
const INDEX_CONFLICTS = [85, 86];

type AnyModel = ReturnType<typeof models>[number];

const createCollections = async (all: AnyModel[]): Promise<void> => {
  const existing = new Set((await mongoose.connection.listCollections()).map(({ name }) => name));
  for (const model of all) if (!existing.has(model.collection.collectionName)) await model.createCollection();
};

const createIndexes = async (model: AnyModel): Promise<void> => {
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length === 0) return;
  try {
    await model.collection.createIndexes(indexes);
  } catch (error) {
    if (!INDEX_CONFLICTS.includes((error as { code?: number }).code ?? 0)) throw error;
    await model.syncIndexes(); // the definition has changed, or a setting in it, such as a retention time
  }
};

/**
 * Creates the missing collections and indexes of all loaded models, and replaces indexes whose definition has changed.
 * Sends only one command for each collection, because every process does this when it starts.
 */
export const createCollectionsAndIndexes = async (): Promise<void> => {
  await createCollections(models());
  for (const model of models()) await createIndexes(model);
};
