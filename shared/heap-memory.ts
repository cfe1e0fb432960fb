/**
 * The memory of V8's heap. When V8 has moved or freed objects, it keeps their memory pages for later use, and it
 * collects old objects only when the heap has grown. An API process that has just started therefore holds 40 MB that it
 * does not need.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Limits the garbage that V8 keeps in this process: V8 collects it when the heap has grown by `percent` since the last
 * collection. With V8's default, large messages make the heap grow by a factor of up to 4 before a collection.
 */
export const limitHeapGrowth = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

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
/** Another release is worthwhile if the resident memory has grown by more than this since the last one. */
const MIN_GROWTH_BYTES = 16e6;
/** The memory of a heap larger than this is not released, because that would block the process for too long. */
const MAX_HEAP_BYTES = 150e6;

/** The processor time and memory that a process uses. */
export interface ProcessUsage {
  /** The share of the time since the last check during which the event loop was busy. */
  busyShare: number;
  residentBytes: number;
  heapBytes: number;
}

/**
 * Returns a function that must be called with the usage of the process at each check. It calls `release` when the
 * process is idle, unless the last release was less than ten minutes ago, the memory has hardly grown since then, or
 * the heap is too large. `release` returns the number of bytes that are still resident.
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

/** From now on, releases the memory of this process whenever it has become idle. */
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
