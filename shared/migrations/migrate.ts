/**
 * Runs the pending migrations of a database in order, or undoes the last finished one, under a lease. If the holder of
 * the lease stalls until the lease expires, another process takes over and may run a migration that the former holder
 * has not finished; that is why migrations are idempotent. The former holder starts no further migration and records
 * none as done.
 */
import type { UmzugStorage } from 'umzug';
import { AppError } from '../errors.ts';
import { logger } from '../logger.ts';
import { Migration } from '../models/migration.ts';
import { type Lease, renewLease, withLease } from './lease.ts';

/** The id of the record that lists the finished migrations, and of the lease under which migrations run. */
export const MIGRATION_RECORD_ID = 'schema';

const LEASE_MS = 6000;

/**
 * One migration. `up` must be idempotent: a process may die before the migration is recorded as done, or stall and then
 * finish it while another process runs it again.
 */
export interface MigrationStep {
  name: string;
  up(): Promise<unknown>;
  /**
   * Removes what `up` has added, so that a later `up` can add it again. Must be idempotent. A migration without this
   * function cannot be undone.
   */
  down?(): Promise<unknown>;
}

/** Waits for the lease under which the schema is changed, and runs `work` as its holder. */
export const withMigrationLease = <T>(work: (lease: Lease) => Promise<T>): Promise<T> =>
  withLease(MIGRATION_RECORD_ID, LEASE_MS, work);

const executedNames = async (): Promise<string[]> =>
  (await Migration.findOne({ _id: MIGRATION_RECORD_ID }).lean())?.done ?? [];

const storageOf = (lease: Lease): UmzugStorage => ({
  executed: executedNames,
  logMigration: ({ name }) => renewLease(lease, { $addToSet: { done: name } }),
  unlogMigration: ({ name }) => renewLease(lease, { $pull: { done: name } }),
});

const ignore = () => undefined;

const createUmzug = async (steps: MigrationStep[], lease: Lease) => {
  // Imported on demand, because umzug loads 170 modules and most starts have no pending migration.
  const { Umzug } = await import('umzug');
  const umzug = new Umzug({
    migrations: steps,
    storage: storageOf(lease),
    logger: { info: (event) => logger.info(event, 'migration'), warn: ignore, error: ignore, debug: ignore },
  });
  umzug.on(['migrating', 'reverting'], () => renewLease(lease)); // umzug awaits the renewal, then runs the migration
  return umzug;
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
 * Runs the migrations that are not recorded as done, under the migration lease. If a migration fails or the lease is
 * lost, the error is thrown and later migrations are not run.
 */
export const migrate = async (steps: MigrationStep[], lease: Lease): Promise<void> => {
  const states = await readMigrationStates(steps);
  if (states.every(({ isDone }) => isDone)) return;
  await (await createUmzug(steps, lease)).up();
};

/** Returns the name of the last migration that has run. Throws a 409 if none has run or it cannot be undone. */
export const findUndoable = async (steps: MigrationStep[]): Promise<string> => {
  const last = (await readMigrationStates(steps)).findLast(({ isDone }) => isDone);
  if (!last) throw new AppError(409, 'NO_MIGRATION', 'No migration of this version has run; there is nothing to undo');
  if (last.isReversible) return last.name;
  const text = `The migration ${last.name} cannot be undone; restore a backup from before it ran`;
  throw new AppError(409, 'MIGRATION_NOT_REVERSIBLE', text);
};

/** Undoes the last migration that is recorded as done, and returns its name. Throws the errors of `findUndoable`. */
export const undoLastMigration = (steps: MigrationStep[]): Promise<string> =>
  withMigrationLease(async (lease) => {
    const name = await findUndoable(steps);
    await (await createUmzug(steps, lease)).down();
    return name;
  });
