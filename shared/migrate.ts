/** Migrations: each runs once in the life of a database, by one process at a time. */
import type { UmzugStorage } from 'umzug';
import { logger } from './logger.ts';
import { Migration } from './models/migration.ts';

const RECORD = 'schema';

/** One change; safe to run again, for a process may die before it is noted as done. */
export interface Step {
  name: string;
  up(): Promise<unknown>;
}

const executed = async (): Promise<string[]> => (await Migration.findOne({ _id: RECORD }).lean())?.done ?? [];

const storage: UmzugStorage = {
  executed,
  logMigration: async ({ name }) => void (await Migration.updateOne({ _id: RECORD }, { $addToSet: { done: name } })),
  unlogMigration: async ({ name }) => void (await Migration.updateOne({ _id: RECORD }, { $pull: { done: name } })),
};

const quiet = () => undefined;

/** Run the steps that this database has not seen; the caller holds the lease. */
export const migrate = async (steps: Step[]): Promise<void> => {
  const done = new Set(await executed());
  if (steps.every(({ name }) => done.has(name))) return;
  const { Umzug } = await import('umzug'); // loads 170 modules, which few starts need
  const umzug = new Umzug({
    migrations: steps,
    storage,
    logger: { info: (event) => logger.info(event, 'migration'), warn: quiet, error: quiet, debug: quiet },
  });
  await umzug.up();
};
