/**
 * Loaded ahead of a process's own code (`--import`): how late its event loop is and how much memory it holds, asked for
 * at a socket named by its pid, so that the code under test knows nothing of being watched.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** MB when the watch began, at most, and at its end after collecting garbage. */
type Growth = { before: number; peak: number; after: number };

/** How a process fared since the watch began; times in milliseconds. */
export type Reading = {
  /** Delay that 999 of 1,000 turns of the loop stayed under, and the longest, as the clock saw it. */
  delay: { p999: number; longest: number; samples: number };
  /** The same in processor time of the loop's thread: what this process did to itself, however busy the machine is. */
  held: { p999: number; longest: number; samples: number };
  /** Memory of everything but other threads' heaps: heap, buffers and other memory that objects of this heap hold. */
  own: Growth;
  /** Memory of the whole process, the parsing thread and what it left behind included. */
  whole: Growth;
  /** Load of the machine over the last minute. */
  load: number;
};

/** Where a watched process is asked. */
export const socketOf = (pid: number): string => join(tmpdir(), `loop-watch-${pid}.sock`);

const RESOLUTION_MS = 2;
const SAMPLE_MS = 100;
const MB = 1_000_000;
const SUSPECT = 40;
const held = createHistogram();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let spent = 0;

const sampleHeld = () => {
  const { user, system } = process.threadCpuUsage();
  held.record(Math.max(1, user + system - spent));
  spent = user + system;
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (how: object) => Promise<void>;

const settle = async () => {
  for (let time = 0; time < 2; time++) {
    await collect({ type: 'major', execution: 'async' });
    await turn();
  }
};

const memory = () => {
  const { heapUsed, external, rss } = process.memoryUsage();
  return { own: (heapUsed + external) / MB, whole: rss / MB };
};

let before = memory();
let peak = before;

let watching = false;
let sampling = false;

/** Buffers that were read and let go of lie about until the collector comes by, so much memory is looked at again after it. */
const samplePeak = async () => {
  if (!watching || sampling) return;
  sampling = true;
  if (memory().own - before.own > SUSPECT) await settle();
  const { own, whole } = memory();
  peak = { own: Math.max(own, peak.own), whole: Math.max(whole, peak.whole) };
  sampling = false;
};

const begin = async () => {
  await settle();
  before = memory();
  peak = before;
  watching = true;
  delay.reset();
  delay.enable();
  held.reset();
};

const end = async (): Promise<Reading> => {
  delay.disable();
  watching = false;
  const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const found = {
    delay: { p999: late(delay.percentile(99.9)), longest: late(delay.max), samples: delay.count },
    held: { p999: held.percentile(99.9) / 1000, longest: held.max / 1000, samples: held.count },
  };
  const most = peak;
  await settle();
  const after = memory();
  const growth = (of: 'own' | 'whole') => ({ before: before[of], peak: most[of], after: after[of] });
  return { ...found, own: growth('own'), whole: growth('whole'), load: loadavg()[0] ?? 0 };
};

const answer = async (path: string | undefined) => JSON.stringify((await (path === '/begin' ? begin() : end())) ?? {});

if (isMainThread) {
  process.once('disconnect', () => process.exit(1)); // whoever watches is gone
  setInterval(sampleHeld, RESOLUTION_MS).unref();
  setInterval(samplePeak, SAMPLE_MS).unref();
  const socket = socketOf(process.pid);
  rmSync(socket, { force: true }); // of a killed process that had this pid
  process.once('exit', () => rmSync(socket, { force: true }));
  createServer(async ({ url }, response) => response.end(await answer(url)))
    .listen(socket)
    .unref();
}
