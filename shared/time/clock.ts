/**
 * The clock of the system. It follows the clock of MongoDB, and between two readings the monotonic clock of the
 * process. All processes therefore agree on what is due and on who holds a lease, even if the clock of a host is wrong
 * or jumps while they run.
 */

/** The clock of the host is used if it differs from a reading by less, because it is more precise. */
const TOLERANCE_MS = 1000;

/** The largest difference of two readings of the same clock that is due to rounding. */
const ROUNDING_MS = 2;

/** The number of readings in turn that turn the clock back: fewer may only have been received late. */
const READINGS_TO_TURN_BACK = 5;

/** What is added to the monotonic clock; undefined until the first reading. */
let offsetMs: number | undefined;

/** The offsets of the latest readings, if all of them were behind the clock. */
let offsetsBehind: number[] = [];

const setOffset = (newOffsetMs: number): void => {
  offsetMs = newOffsetMs;
  offsetsBehind = [];
};

/**
 * Sets the clock by a reading of MongoDB's clock, which was just received. A reading is never ahead of MongoDB's clock,
 * but it may be received late.
 */
export const setClock = (databaseTime: Date): void => {
  const [hostMs, databaseMs, monotonicMs] = [Date.now(), databaseTime.getTime(), performance.now()];
  if (Math.abs(hostMs - databaseMs) < TOLERANCE_MS) {
    const hostOffsetMs = hostMs + 1 - monotonicMs; // `Date.now` cuts off a part of a millisecond
    // Following a difference that is due to rounding would turn the clock back.
    const isRounding = offsetMs !== undefined && Math.abs(hostOffsetMs - offsetMs) < ROUNDING_MS;
    return setOffset(isRounding ? (offsetMs as number) : hostOffsetMs);
  }
  const newOffsetMs = databaseMs - monotonicMs;
  if (offsetMs === undefined || newOffsetMs >= offsetMs) return setOffset(newOffsetMs);
  offsetsBehind.push(newOffsetMs);
  if (offsetsBehind.length === READINGS_TO_TURN_BACK) setOffset(Math.max(...offsetsBehind));
};

/** Returns the current time in milliseconds since the epoch. Before the first reading, it is that of the host. */
export const currentTimeMs = (): number =>
  offsetMs === undefined ? Date.now() : Math.floor(performance.now() + offsetMs);

/** Returns the current time. */
export const currentTime = (): Date => new Date(currentTimeMs());
