/** The environment of routing trials: a separate database, the log of its writes, and two processes that act on it. */
import { useFleetDatabase } from './fleet-database.ts';
import { type TwoProcesses, twoProcesses } from './two-processes.ts';
import { followWrites, type WriteLog } from './write-log.ts';

/** The collections whose writes routing-oracle.ts checks. */
const WATCHED_COLLECTIONS = ['projects', 'project_users', 'departments', 'groups', 'requests'];

/** The log of writes, and the processes that perform actions. */
export interface RoutingFixture {
  /** The address of the database. */
  uri: string;
  log: WriteLog;
  processes: TwoProcesses;
  close(): Promise<void>;
}

/**
 * Starts the environment. Until it is closed, the models of this process use its database, so that the relay of the
 * suite does not have to relay the many writes.
 */
export const aRoutingFixture = async (): Promise<RoutingFixture> => {
  const { uri, leave } = await useFleetDatabase();
  const [log, processes] = await Promise.all([followWrites(WATCHED_COLLECTIONS), twoProcesses(uri)]);
  const close = async () => {
    await processes.close();
    await log.close();
    await leave();
  };
  return { uri, log, processes, close };
};
