/**
 * The clock of the system. It follows the clock of MongoDB, and between two readings the monotonic clock of the
 * process. All processes therefore agree on what is due and on who holds a lease, even if the clock of a host is wrong
 * or jumps while they run.
 */

/**
 * A reading that is behind the clock by less than this was only received late, so it does not turn back the clock.
 */
const MAX_LATENESS_MS = 1000;

/** What is added to the monotonic clock; undefined until the first reading. */
let offsetMs: number | undefined;

/** Sets the clock by a reading of MongoDB's clock, which was just received. */
export const setClock = (databaseTime: Date): void => {
  const newOffsetMs = databaseTime.getTime() - performance.now();
  const isLate = offsetMs !== undefined && newOffsetMs < offsetMs && newOffsetMs > offsetMs - MAX_LATENESS_MS;
  if (!isLate) offsetMs = newOffsetMs;
};

/** Returns the current time in milliseconds since the epoch. Before the first reading, it is that of the host. */
export const currentTimeMs = (): number =>
  offsetMs === undefined ? Date.now() : Math.floor(performance.now() + offsetMs);

/** Returns the current time. */
export const currentTime = (): Date => new Date(currentTimeMs());
