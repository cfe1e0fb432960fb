/**
 * The controls that administrators change at run time for all processes: the maintenance mode and the log level. They
 * are stored in one record in MongoDB, which every process reads once a second. While MongoDB is unavailable, the last
 * known state applies.
 */
import { logger, setLogLevel } from '../logger.ts';
import { InstanceControls } from '../models/instance-controls.ts';
import { currentTime } from '../time/clock.ts';

const _id = 'controls';
const POLL_INTERVAL_MS = 1000;
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

/** Returns the maintenance in progress, as of the last read. Sends no command, so every request may call it. */
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
  try {
    apply(await readControls());
  } catch (error) {
    logger.debug(
      { err: (error as Error).message },
      'reading the instance controls failed; the last known state applies',
    );
  }
};

/** Reads the controls now and once a second. Returns a function that stops the reading. */
export const watchControls = async (): Promise<() => void> => {
  await refresh();
  const timer = setInterval(refresh, POLL_INTERVAL_MS);
  return () => clearInterval(timer);
};

const write = async (change: object): Promise<void> => {
  await InstanceControls.updateOne({ _id }, change, { upsert: true });
};

/** Begins the maintenance mode, or changes its message. All API processes follow within about a second. */
export const beginMaintenance = (maintenance: Omit<Maintenance, 'since'>): Promise<void> =>
  write({ $set: { maintenance: { since: currentTime(), ...maintenance } } });

/** Ends the maintenance mode. */
export const endMaintenance = (): Promise<void> => write({ $unset: { maintenance: 1 } });

/** Sets the log level of all processes; undefined restores the setting LOG_LEVEL of each process. */
export const changeLogLevel = (logLevel?: string): Promise<void> =>
  write(logLevel ? { $set: { logLevel } } : { $unset: { logLevel: 1 } });
