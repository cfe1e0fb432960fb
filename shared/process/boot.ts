/**
 * The start-up of an API process or a worker: connects to MongoDB, refuses a Redis that may lose jobs, and updates the
 * database.
 */
import { createCollectionsAndIndexes } from '../database/indexes.ts';
import { loadModels } from '../database/load-models.ts';
import { migrate, withMigrationLease } from '../migrations/migrate.ts';
import { migrations } from '../migrations/index.ts';
import { isPrepared, recordPreparation } from '../migrations/prepared-database.ts';
import { convertDatesFaster } from '../time/json-dates.ts';
import { connectServices } from './connect-services.ts';

/**
 * Creates collections and indexes and runs pending migrations, unless an earlier start has done so. The holder of the
 * migration lease does this; other processes wait. Throws a 409 if this process loses the lease meanwhile.
 */
export const prepareDatabase = async (steps = migrations): Promise<void> => {
  await loadModels();
  if (await isPrepared(steps)) return;
  await withMigrationLease(async (lease) => {
    if (await isPrepared(steps)) return; // the previous holder of the lease has done the work
    await recordPreparation(lease, async () => {
      await createCollectionsAndIndexes();
      await migrate(steps, lease);
    });
  });
};

/**
 * Connects to MongoDB, checks Redis, prepares the database, and makes the conversion of times to JSON faster. Throws if
 * a service is unavailable or unsafe.
 */
export const boot = async (): Promise<void> => {
  convertDatesFaster();
  await connectServices();
  await prepareDatabase();
};
