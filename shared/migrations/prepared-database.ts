/** Records that a process has prepared the database at startup, so that later starts need not prepare it again. */
import { countIndexes, indexDigest } from '../database/indexes.ts';
import { Migration } from '../models/migration.ts';
import { type Lease, renewLease } from './lease.ts';
import { MIGRATION_RECORD_ID, type MigrationStep } from './migrate.ts';

/**
 * Whether an earlier start has created the indexes of this version and run the given migrations. Returns false if
 * indexes have been removed since, for example by restoring a backup without indexes.
 */
export const isPrepared = async (steps: MigrationStep[]): Promise<boolean> => {
  const record = await Migration.findOne({ _id: MIGRATION_RECORD_ID }).lean();
  if (record?.indexDigest !== indexDigest() || !steps.every(({ name }) => record.done.includes(name))) return false;
  return record.indexCount === (await countIndexes());
};

/** Runs `prepare` under the migration lease, and records that the database is prepared. */
export const recordPreparation = async (lease: Lease, prepare: () => Promise<void>): Promise<void> => {
  await renewLease(lease, { $unset: { indexDigest: 1, indexCount: 1 } });
  await prepare();
  await renewLease(lease, { $set: { indexDigest: indexDigest(), indexCount: await countIndexes() } });
};
