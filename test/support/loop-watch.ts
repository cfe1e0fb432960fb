/**
 * Loaded ahead of a process's own code (`--import`): how late its event loop is and how much memory it holds, asked for
 * at a socket named by its pid, so that the code under test knows nothing of being watched.
 */
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, type Worker } from 'node:worker_threads';

/** How a process fared since the watch began: milliseconds, and MB without the parsing thread's. */
export type Reading = {
  /** Delay that 999 of 1,000 turns of the loop stayed under, and the longest, as the clock saw it. */
  delay: { p999: number; longest: number; samples: number };
  /** The same in processor time of the loop's thread: what this process did to itself, however busy the machine is. */
  held: { p999: number; longest: number; samples: number };
  memory: { before: number; peak: number; after: number };
  /** Load of the machine over the last minute. */
  load: number;
};

/** Where a watched process is asked. */
export const socketOf = (pid: number): string => join(tmpdir(), `loop-watch-${pid}.sock`);

const RESOLUTION_MS = 2;
const SAMPLE_MS = 25;
const MB = 1_000_000;
const EXCEPTED = 'WorkerThread'; // the parsing thread has no name of its own; the model's has one, and counts

const threads = new Set<Worker>();

const held = createHistogram();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let spent = 0;

const sampleHeld = () => {
  const { user, system } = process.threadCpuUsage();
  held.record(Math.max(1, user + system - spent));
  spent = user + system;
};

const excepted = async (): Promise<number> => {
  const parsing = [...threads].filter(({ threadName }) => threadName === EXCEPTED);
  const stats = await Promise.all(parsing.map((thread) => thread.getHeapStatistics().catch(() => undefined)));
  return stats.reduce((sum, each) => sum + (each ? each.total_heap_size + each.external_memory : 0), 0);
};

const memory = async (): Promise<number> => {
  const theirs = await excepted();
  return (process.memoryUsage.rss() - theirs) / MB;
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (how: object) => Promise<void>;

/** What was let go of is given back some turns later. */
const settled = async (): Promise<number> => {
  for (let time = 0; time < 3; time++) {
    await collect({ type: 'major', execution: 'async', flavor: 'last-resort' });
    await turn();
  }
  return memory();
};

let before = 0;
let peak = 0;
let sampling = false;

const samplePeak = async () => {
  if (sampling) return;
  sampling = true;
  peak = Math.max(peak, await memory());
  sampling = false;
};

const begin = async () => {
  before = await settled();
  peak = before;
  delay.reset();
  delay.enable();
  held.reset();
};

const end = async (): Promise<Reading> => {
  delay.disable();
  const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const found = {
    delay: { p999: late(delay.percentile(99.9)), longest: late(delay.max), samples: delay.count },
    held: { p999: held.percentile(99.9) / 1000, longest: held.max / 1000, samples: held.count },
  };
  const most = peak;
  return { ...found, memory: { before, peak: most, after: await settled() }, load: loadavg()[0] ?? 0 };
};

const answer = async (path: string | undefined) => JSON.stringify((await (path === '/begin' ? begin() : end())) ?? {});

if (isMainThread) {
  process.on('worker', (thread: Worker) => {
    threads.add(thread);
    thread.once('exit', () => threads.delete(thread));
  });
  setInterval(sampleHeld, RESOLUTION_MS).unref();
  setInterval(samplePeak, SAMPLE_MS).unref();
  createServer(async ({ url }, response) => response.end(await answer(url)))
    .listen(socketOf(process.pid))
    .unref();
}
