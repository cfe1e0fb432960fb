/**
 * The data of the fleet page: the state of the installation, which is read at most once every two seconds.
 */
import { runChecks } from '#shared/doctor/run-checks.ts';
import type { Finding } from '#shared/doctor/check.ts';
import { listAdminActions } from '#shared/domain/operations/admin-actions.ts';
import { type FleetProcess, listProcesses } from '#shared/domain/operations/heartbeats.ts';
import { type OverdueWork, readOverdueWork } from '#shared/domain/operations/overdue-work.ts';
import { type QueueFigures, readQueueFigures } from '#shared/domain/operations/queue-figures.ts';
import { currentTime } from '#shared/time/clock.ts';

const CACHE_MS = 2000;
/** The checks that find problems are repeated less often than the other parts are read, because they read more data. */
const CHECKS_CACHE_MS = 20_000;
const MAX_ACTIONS = 20;

/** The state of the installation. A part that cannot be read is empty; `problems` then has the reason. */
export interface Fleet {
  at: Date;
  problems: Finding[];
  queues: QueueFigures[];
  overdue: OverdueWork[];
  processes: FleetProcess[];
  actions: { createdAt: Date; by: string; action: string; target?: string | null }[];
}

const emptyOnError = <T>(read: Promise<T[]>): Promise<T[]> => read.catch(() => []);

/** Returns a function that calls `read` at most once every `ms` milliseconds, and otherwise returns the last result. */
const cache = <T>(ms: number, read: () => Promise<T>): (() => Promise<T>) => {
  let last: { until: number; value: Promise<T> } | undefined;
  return () => {
    if (!last || last.until < performance.now()) last = { until: performance.now() + ms, value: read() };
    return last.value;
  };
};

const currentResults = cache(CHECKS_CACHE_MS, () => runChecks());

const readFleet = async (): Promise<Fleet> => {
  const [results, queues, overdue, processes, actions] = await Promise.all([
    currentResults(),
    emptyOnError(readQueueFigures()),
    emptyOnError(readOverdueWork()),
    emptyOnError(listProcesses()),
    emptyOnError(Promise.resolve(listAdminActions(MAX_ACTIONS))),
  ]);
  const findings = results.flatMap((result) => result.findings);
  const problems = findings.toSorted((one, other) => one.level.localeCompare(other.level));
  return { at: currentTime(), problems, queues, overdue, processes, actions };
};

/** Returns the state of the installation. */
export const currentFleet = cache(CACHE_MS, readFleet);
