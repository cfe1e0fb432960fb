/** Start-up of every process: connects to the services, rejects unsafe ones, and updates the database. */
import { connectMongo } from '../database/connection.ts';
import { createCollectionsAndIndexes } from '../database/indexes.ts';
import { loadModels } from '../database/load-models.ts';
import { withLease } from '../migrations/lease.ts';
import { MIGRATION_RECORD_ID, migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/index.ts';
import { isPrepared, recordPreparation } from '../migrations/prepared-database.ts';
import { assertDurableRedis, failFastRedis, openRedis } from '../queue/redis.ts';

const SCHEMA_LEASE_MS = 6000;

/**
 * Creates collections and indexes and runs pending migrations, unless an earlier start has done so. One process does
 * this at a time; other processes wait.
 */
export const prepareDatabase = async (steps = migrations): Promise<void> => {
  await loadModels();
  if (await isPrepared(steps)) return;
  await withLease(MIGRATION_RECORD_ID, SCHEMA_LEASE_MS, async () => {
    if (await isPrepared(steps)) return; // by the process that held the lease before
    await recordPreparation(async () => {
      await createCollectionsAndIndexes();
      await migrate(steps);
    });
  });
};

const rejectUnsafeRedis = async (): Promise<void> => {
  const redis = failFastRedis({ lazyConnect: true });
  try {
    await openRedis(redis);
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
