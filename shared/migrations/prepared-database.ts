/** Records what a start has prepared in the database, so that later starts need not do it again. */
import { countIndexes, indexDigest } from '../database/indexes.ts';
import { Migration } from '../models/migration.ts';
import { MIGRATION_RECORD_ID, type MigrationStep } from './migrate.ts';

/**
 * Whether an earlier start has created the indexes of this version and run these migrations. Returns false if indexes
 * have been removed since, for example by restoring a backup without indexes.
 */
export const isPrepared = async (steps: MigrationStep[]): Promise<boolean> => {
  const record = await Migration.findOne({ _id: MIGRATION_RECORD_ID }).lean();
  if (record?.indexDigest !== indexDigest() || !steps.every(({ name }) => record.done.includes(name))) return false;
  return record.indexCount === (await countIndexes());
};

/** Runs `prepare` and records that the database is prepared. The caller must hold the migration lease. */
export const recordPreparation = async (prepare: () => Promise<void>): Promise<void> => {
  const filter = { _id: MIGRATION_RECORD_ID };
  await Migration.updateOne(filter, { $unset: { indexDigest: 1, indexCount: 1 } });
  await prepare();
  await Migration.updateOne(filter, { $set: { indexDigest: indexDigest(), indexCount: await countIndexes() } });
};
