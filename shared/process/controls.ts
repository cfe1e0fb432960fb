/**
 * The controls that administrators change at run time for all processes: maintenance mode and the log level. They
 * are stored in one record in MongoDB. A process reads the record once a second while it serves calls, otherwise every
 * five seconds. While MongoDB is unavailable, the last known state applies.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { logger, setLogLevel } from '../logger.ts';
import { InstanceControls } from '../models/instance-controls.ts';
import { currentTime } from '../time/clock.ts';

const _id = 'controls';
const CHECK_INTERVAL_MS = 1000;
const IDLE_INTERVAL_MS = 5000;
/** A process is idle when it has served no call for this long. */
const IDLE_AFTER_MS = 10_000;
/** A read is due this much before its interval ends, because a timer may fire early by less than this time. */
const TIMER_TOLERANCE_MS = 100;
/** The longest time for which the first call after an idle period waits for the state of the controls. */
const MAX_WAIT_MS = 500;
const READ_TIMEOUT_MS = 2000;

/** Why the API refuses calls. */
export interface Maintenance {
  since: Date;
  message: string;
  /** The time after which clients should try again. */
  retryAfterSeconds: number;
}

/** The state of the controls. */
export interface Controls {
  maintenance?: Maintenance;
  logLevel?: string;
}

let controls: Controls = {};
/** When the last read began, and when the last call arrived, by the monotonic clock. */
let [readAtMs, calledAtMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Returns the maintenance in progress, as of the last read. */
export const currentMaintenance = (): Maintenance | undefined => controls.maintenance;

/** Reads the state from MongoDB. */
export const readControls = async (): Promise<Controls> =>
  (await InstanceControls.findOne({ _id }, null, { maxTimeMS: READ_TIMEOUT_MS }).lean<Controls | null>()) ?? {};

const apply = (read: Controls): void => {
  const { maintenance, logLevel } = controls;
  controls = read;
  if (read.logLevel !== logLevel) setLogLevel(read.logLevel);
  if (Boolean(read.maintenance) !== Boolean(maintenance))
    logger.info({ maintenance: read.maintenance }, read.maintenance ? 'maintenance begins' : 'maintenance ends');
};

const refresh = async (): Promise<void> => {
  readAtMs = performance.now();
  try {
    apply(await readControls());
  } catch (error) {
    logger.debug(
      { err: (error as Error).message },
      'reading the instance controls failed; the last known state applies',
    );
  }
};

const isDue = (intervalMs: number): boolean => performance.now() - readAtMs > intervalMs - TIMER_TOLERANCE_MS;

/**
 * Returns the maintenance in progress, because of which a call to the API must be refused. Uses the state of the last
 * read; for the first call after an idle period, reads the state and returns a promise.
 */
export const maintenanceForCall = (): Maintenance | undefined | Promise<Maintenance | undefined> => {
  calledAtMs = performance.now();
  if (!isDue(2 * CHECK_INTERVAL_MS)) return currentMaintenance();
  return Promise.race([refresh(), sleep(MAX_WAIT_MS, undefined, { ref: false })]).then(currentMaintenance);
};

/** Reads the controls immediately, and then at regular intervals. Returns a function that stops the reading. */
export const watchControls = async (): Promise<() => void> => {
  await refresh();
  const timer = setInterval(() => {
    const isIdle = performance.now() - calledAtMs > IDLE_AFTER_MS;
    if (isDue(isIdle ? IDLE_INTERVAL_MS : CHECK_INTERVAL_MS)) void refresh();
  }, CHECK_INTERVAL_MS);
  return () => clearInterval(timer);
};

const write = async (change: object): Promise<void> => {
  await InstanceControls.updateOne({ _id }, change, { upsert: true });
};

/** Begins maintenance mode, or changes its message. All API processes follow within about a second. */
export const beginMaintenance = (maintenance: Omit<Maintenance, 'since'>): Promise<void> =>
  write({ $set: { maintenance: { since: currentTime(), ...maintenance } } });

/** Ends maintenance mode. */
export const endMaintenance = (): Promise<void> => write({ $unset: { maintenance: 1 } });

/** Sets the log level of all processes; `undefined` restores each process's setting `LOG_LEVEL`. */
export const changeLogLevel = (logLevel?: string): Promise<void> =>
  write(logLevel ? { $set: { logLevel } } : { $unset: { logLevel: 1 } });
