/**
 * The memory of V8's heap. V8 keeps the pages of objects that it has moved or freed for later use, and collects old
 * objects only when the heap has grown: an API that has only started keeps 40 MB that it does not need.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * V8 collects garbage when the heap has grown by this percentage. With V8's default, large messages make the heap grow
 * by a factor of up to 4 before a collection.
 */
const HEAP_GROWTH_PERCENT = 50;

/** Limits the garbage that V8 keeps in this process. */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

let collectGarbage: Collect | undefined;

/** V8's function `gc` exists only in contexts that are created after its flag is set. */
const findCollect = (): Collect => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
};

/**
 * Collects all garbage of this thread and releases the pages that V8 keeps. Blocks the thread: with a heap of 60 MB,
 * this takes 0.23 s of processor time.
 */
export const releaseMemory = (): void => {
  collectGarbage ??= findCollect();
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
};

const CHECK_INTERVAL_MS = 10_000;
/**
 * A process is idle when its event loop was busy for less than this share of each of the last IDLE_INTERVALS intervals.
 */
const IDLE_SHARE = 0.03;
const IDLE_INTERVALS = 2;
/**
 * Minimum number of intervals between two releases. Releases are rare, because a call that arrives during a release
 * waits.
 */
const MIN_INTERVALS_BETWEEN = 60;
/** The growth since the last release from which another release is worthwhile. */
const MIN_GROWTH_BYTES = 16e6;
/** The memory of a larger heap is not released, because that would block the process for too long. */
const MAX_HEAP_BYTES = 150e6;

/** What a process uses. */
export interface ProcessUsage {
  /** The share of the time since the last check in which the event loop was busy. */
  busyShare: number;
  residentBytes: number;
  heapBytes: number;
}

/**
 * Returns a function that is called with the usage of a process at each check, and calls `release` when the process has
 * become idle and its memory has grown since the last release, which was at least ten minutes ago. `release` returns
 * the number of resident bytes that remain.
 */
export const createIdleRelease = (release: () => number) => {
  let idleIntervals = 0;
  let intervalsSinceRelease = MIN_INTERVALS_BETWEEN;
  let releasedBytes = 0;
  return ({ busyShare, residentBytes, heapBytes }: ProcessUsage): void => {
    idleIntervals = busyShare < IDLE_SHARE ? idleIntervals + 1 : 0;
    intervalsSinceRelease += 1;
    const isPossible = idleIntervals >= IDLE_INTERVALS && intervalsSinceRelease > MIN_INTERVALS_BETWEEN;
    const hasGrown = residentBytes > releasedBytes + MIN_GROWTH_BYTES;
    if (!isPossible || !hasGrown || heapBytes >= MAX_HEAP_BYTES) return;
    releasedBytes = release();
    intervalsSinceRelease = 0;
  };
};

/** Starts releasing the memory of this process whenever it has become idle. */
export const releaseMemoryWhenIdle = (): void => {
  const check = createIdleRelease(() => {
    releaseMemory();
    return process.memoryUsage.rss();
  });
  let last = performance.eventLoopUtilization();
  setInterval(() => {
    const current = performance.eventLoopUtilization();
    const { utilization: busyShare } = performance.eventLoopUtilization(current, last);
    last = current;
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
    check({ busyShare, residentBytes, heapBytes });
  }, CHECK_INTERVAL_MS).unref();
};
