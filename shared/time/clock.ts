/**
 * The clock of a process, from which nearly all code takes the time. It follows MongoDB's clock; between two readings
 * of that clock, it advances with the monotonic clock of the process. All processes therefore agree on what is due and
 * on who holds a lease, even if the clock of a host is wrong or jumps while they run.
 */

/** The clock of the host is more precise than a reading; it is used if the two differ by less than this. */
const TOLERANCE_MS = 1000;

/** The largest difference that rounding can cause between two readings of the same clock. */
const ROUNDING_MS = 2;

/**
 * The clock is turned back after this number of consecutive readings behind it; fewer such readings may merely have
 * arrived late.
 */
const READINGS_TO_TURN_BACK = 5;

/** The offset of this clock from the monotonic clock; undefined until the first reading. */
let offsetMs: number | undefined;

/** The offsets of the latest consecutive readings that were behind the clock. */
let offsetsBehind: number[] = [];

const setOffset = (newOffsetMs: number): void => {
  offsetMs = newOffsetMs;
  offsetsBehind = [];
};

/**
 * Sets the clock from a reading of MongoDB's clock. Call it as soon as the reading is received. A reading may be behind
 * MongoDB's clock, because it was received late, but it is never ahead.
 */
export const setClock = (databaseTime: Date): void => {
  const [hostMs, databaseMs, monotonicMs] = [Date.now(), databaseTime.getTime(), performance.now()];
  if (Math.abs(hostMs - databaseMs) < TOLERANCE_MS) {
    const hostOffsetMs = hostMs + 1 - monotonicMs; // `Date.now` drops the fraction of a millisecond
    // A difference that rounding causes is ignored, because following it could turn the clock back.
    const isRounding = offsetMs !== undefined && Math.abs(hostOffsetMs - offsetMs) < ROUNDING_MS;
    return setOffset(isRounding ? (offsetMs as number) : hostOffsetMs);
  }
  const newOffsetMs = databaseMs - monotonicMs;
  if (offsetMs === undefined || newOffsetMs >= offsetMs) return setOffset(newOffsetMs);
  offsetsBehind.push(newOffsetMs);
  if (offsetsBehind.length === READINGS_TO_TURN_BACK) setOffset(Math.max(...offsetsBehind));
};

/** Returns the current time in milliseconds since the epoch. Before the first reading, this is the time of the host. */
export const currentTimeMs = (): number =>
  offsetMs === undefined ? Date.now() : Math.floor(performance.now() + offsetMs);

/** Returns the current time. */
export const currentTime = (): Date => new Date(currentTimeMs());
