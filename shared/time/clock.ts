/**
 * The clock of the system. It follows the clock of MongoDB, and between two readings the monotonic clock of the
 * process. All processes therefore agree on what is due and on who holds a lease, even if the clock of a host is wrong
 * or jumps while they run.
 */

/** A difference below this may be due to the time that a reading took to arrive. */
const TOLERANCE_MS = 1000;

/** The largest difference of two readings of the same clock. */
const ROUNDING_MS = 2;

/** What is added to the monotonic clock; undefined until the first reading. */
let offsetMs: number | undefined;

/**
 * Sets the clock by a reading of MongoDB's clock, which was just received. If the reading agrees with the clock of the
 * host, that clock is used, because it is more precise. A reading that was received late does not turn back the clock.
 */
export const setClock = (databaseTime: Date): void => {
  const [hostMs, databaseMs, monotonicMs] = [Date.now(), databaseTime.getTime(), performance.now()];
  if (Math.abs(hostMs - databaseMs) < TOLERANCE_MS) {
    const hostOffsetMs = hostMs + 1 - monotonicMs; // `Date.now` cuts off a part of a millisecond
    // Smaller differences are due to rounding; following them would turn the clock back.
    if (offsetMs === undefined || Math.abs(hostOffsetMs - offsetMs) > ROUNDING_MS) offsetMs = hostOffsetMs;
    return;
  }
  const newOffsetMs = databaseMs - monotonicMs;
  const isLate = offsetMs !== undefined && newOffsetMs < offsetMs && newOffsetMs > offsetMs - TOLERANCE_MS;
  if (!isLate) offsetMs = newOffsetMs;
};

/** Returns the current time in milliseconds since the epoch. Before the first reading, it is that of the host. */
export const currentTimeMs = (): number =>
  offsetMs === undefined ? Date.now() : Math.floor(performance.now() + offsetMs);

/** Returns the current time. */
export const currentTime = (): Date => new Date(currentTimeMs());
