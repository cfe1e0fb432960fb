/** Runs each migration once per database, in one process at a time. */
import type { UmzugStorage } from 'umzug';
import { logger } from '../logger.ts';
import { Migration } from '../models/migration.ts';

/** The id of the record that lists the finished migrations. It is also the name of the lease under which they run. */
export const MIGRATION_RECORD_ID = 'schema';

/** One migration. `up` must be idempotent: a process may die before the migration is recorded as done. */
export interface MigrationStep {
  name: string;
  up(): Promise<unknown>;
}

const executedNames = async (): Promise<string[]> =>
  (await Migration.findOne({ _id: MIGRATION_RECORD_ID }).lean())?.done ?? [];

const storage: UmzugStorage = {
  executed: executedNames,
  logMigration: async ({ name }) =>
    void (await Migration.updateOne({ _id: MIGRATION_RECORD_ID }, { $addToSet: { done: name } })),
  unlogMigration: async ({ name }) =>
    void (await Migration.updateOne({ _id: MIGRATION_RECORD_ID }, { $pull: { done: name } })),
};

const ignore = () => undefined;

/**
 * Runs the steps that are not recorded as done. The caller must hold the migration lease. If a step fails, its error is
 * thrown and later steps are not run.
 */
export const migrate = async (steps: MigrationStep[]): Promise<void> => {
  const done = new Set(await executedNames());
  if (steps.every(({ name }) => done.has(name))) return;
  // Imported on demand, because umzug loads 170 modules and most starts have no pending migration.
  const { Umzug } = await import('umzug');
  const umzug = new Umzug({
    migrations: steps,
    storage,
    logger: { info: (event) => logger.info(event, 'migration'), warn: ignore, error: ignore, debug: ignore },
  });
  await umzug.up();
};
