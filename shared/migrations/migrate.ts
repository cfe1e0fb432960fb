/** Runs each migration once per database, in one process at a time, and undoes the last one. */
import type { UmzugStorage } from 'umzug';
import { AppError } from '../errors.ts';
import { logger } from '../logger.ts';
import { Migration } from '../models/migration.ts';
import { withLease } from './lease.ts';

/** The id of the record that lists the finished migrations. It is also the name of the lease under which they run. */
export const MIGRATION_RECORD_ID = 'schema';

const LEASE_MS = 6000;

/** One migration. `up` must be idempotent: a process may die before the migration is recorded as done. */
export interface MigrationStep {
  name: string;
  up(): Promise<unknown>;
  /**
   * Removes what `up` has added, so that a later `up` adds it again. Must be idempotent. A migration without this
   * function cannot be undone.
   */
  down?(): Promise<unknown>;
}

/** Runs `work` while no other process changes the schema. */
export const withMigrationLease = <T>(work: () => Promise<T>): Promise<T> =>
  withLease(MIGRATION_RECORD_ID, LEASE_MS, work);

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

const createUmzug = async (steps: MigrationStep[]) => {
  // Imported on demand, because umzug loads 170 modules and most starts have no pending migration.
  const { Umzug } = await import('umzug');
  return new Umzug({
    migrations: steps,
    storage,
    logger: { info: (event) => logger.info(event, 'migration'), warn: ignore, error: ignore, debug: ignore },
  });
};

/** A migration, and whether it has run on this database. */
export interface MigrationState {
  name: string;
  isDone: boolean;
  isReversible: boolean;
}

/** Returns the state of each migration, in the order in which migrations run. */
export const readMigrationStates = async (steps: MigrationStep[]): Promise<MigrationState[]> => {
  const done = new Set(await executedNames());
  return steps.map(({ name, down }) => ({ name, isDone: done.has(name), isReversible: down !== undefined }));
};

/**
 * Runs the migrations that are not recorded as done. The caller must hold the migration lease. If a migration fails,
 * its error is thrown and later migrations are not run.
 */
export const migrate = async (steps: MigrationStep[]): Promise<void> => {
  const states = await readMigrationStates(steps);
  if (states.every(({ isDone }) => isDone)) return;
  await (await createUmzug(steps)).up();
};

/** Returns the name of the migration that `undoLastMigration` would undo. Throws a 409 if there is none. */
export const findUndoable = async (steps: MigrationStep[]): Promise<string> => {
  const last = (await readMigrationStates(steps)).findLast(({ isDone }) => isDone);
  if (!last) throw new AppError(409, 'NO_MIGRATION', 'No migration of this version has run; there is nothing to undo');
  if (last.isReversible) return last.name;
  const text = `The migration ${last.name} cannot be undone; restore a backup that is older than it`;
  throw new AppError(409, 'MIGRATION_NOT_REVERSIBLE', text);
};

/** Undoes the last migration that is recorded as done, and returns its name. Throws a 409 if there is none. */
export const undoLastMigration = (steps: MigrationStep[]): Promise<string> =>
  withMigrationLease(async () => {
    const name = await findUndoable(steps);
    await (await createUmzug(steps)).down();
    return name;
  });
