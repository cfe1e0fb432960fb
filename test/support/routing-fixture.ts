/** The environment of routing trials: a separate database, the log of its writes, and two processes that act on it. */
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { type TwoProcesses, twoProcesses } from './two-processes.ts';
import { useDatabase } from './use-database.ts';
import { followWrites, type WriteLog } from './write-log.ts';

/** The collections whose writes the oracle checks. */
const WATCHED_COLLECTIONS = ['projects', 'project_users', 'departments', 'groups', 'requests'];

/** The log of writes, and the processes that perform actions. */
export interface RoutingFixture {
  log: WriteLog;
  processes: TwoProcesses;
  close(): Promise<void>;
}

/**
 * Starts the environment. Until it is closed, the models of this process use its database, so that the relay of the
 * suite does not have to relay the many writes.
 */
export const aRoutingFixture = async (): Promise<RoutingFixture> => {
  const uri = new URL(config.MONGODB_URI);
  uri.pathname = `/routing_${process.pid}`;
  const goBack = await useDatabase(uri.href);
  const [log, processes] = await Promise.all([followWrites(WATCHED_COLLECTIONS), twoProcesses()]);
  const close = async () => {
    await processes.close();
    await log.close();
    await mongoose.connection.dropDatabase();
    await goBack();
  };
  return { log, processes, close };
};
