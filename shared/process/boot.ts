/** Start-up of every process: connects to the services, rejects unsafe ones, and updates the database. */
import { readdir } from 'node:fs/promises';
import mongoose, { type mongo } from 'mongoose';
import { models } from '../database/collection.ts';
import { connectMongo } from '../database/connection.ts';
import { withLease } from '../migrations/lease.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/index.ts';
import { assertDurableRedis, failFastRedis } from '../queue/redis.ts';

const SCHEMA_LEASE_MS = 6000;
/** The codes with which MongoDB rejects an index that exists with other options, or under its name with other keys. */
const INDEX_CONFLICTS = [85, 86];

/** Loads all models, so that every process can create all indexes. */
const loadModels = async (): Promise<void> => {
  const folder = new URL('../models/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
  await Promise.all(files.map((file) => import(new URL(file, folder).href)));
};

type AnyModel = ReturnType<typeof models>[number];

const createCollections = async (all: AnyModel[]): Promise<void> => {
  const existing = new Set((await mongoose.connection.listCollections()).map(({ name }) => name));
  for (const model of all) if (!existing.has(model.collection.collectionName)) await model.createCollection();
};

/** Creates the indexes of a collection with one command, since every process does it when it starts. */
const createIndexes = async (model: AnyModel): Promise<void> => {
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length === 0) return;
  try {
    await model.collection.createIndexes(indexes);
  } catch (error) {
    if (!INDEX_CONFLICTS.includes((error as { code?: number }).code ?? 0)) throw error;
    await model.syncIndexes(); // the index has changed, or a setting that is part of it, such as a retention time
  }
};

/** Creates collections and indexes and runs pending migrations. One process does it at a time; the others wait. */
export const prepareDatabase = async (steps = migrations): Promise<void> => {
  await loadModels();
  await withLease('schema', SCHEMA_LEASE_MS, async () => {
    await createCollections(models());
    for (const model of models()) await createIndexes(model);
    await migrate(steps);
  });
};

const rejectUnsafeRedis = async (): Promise<void> => {
  const redis = failFastRedis({ lazyConnect: true });
  try {
    await redis.connect();
    await assertDurableRedis(redis);
  } finally {
    redis.disconnect();
  }
};

/** Connects to MongoDB, checks Redis and prepares the database. Throws if a service is unavailable or unsafe. */
export const boot = async (): Promise<void> => {
  await Promise.all([connectMongo(), rejectUnsafeRedis()]);
  await prepareDatabase();
};
