/**
 * Measures the event loop delay and the memory of a process. It is loaded before the code of the process, with
 * `--import`. Another process requests the result over a socket that is named after the pid, so that the code under
 * test needs no change.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { type LoopReading, socketOf } from './loop-reading.ts';

const RESOLUTION_MS = 2;
const SAMPLE_MS = 100;
const MB = 1_000_000;
/** Memory growth up to this value, which is below `LIMITS.memoryMb` in loop-lag.ts, is recorded including garbage. */
const SUSPECT_GROWTH_MB = 60;
const busyTime = createHistogram();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
let cpuTimeMicros = 0;

const sampleBusyTime = () => {
  const { user, system } = process.threadCpuUsage();
  busyTime.record(Math.max(1, user + system - cpuTimeMicros));
  cpuTimeMicros = user + system;
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (how: object) => Promise<void>;

const collectAllGarbage = async () => {
  for (let time = 0; time < 2; time++) {
    await collectGarbage({ type: 'major', execution: 'async' });
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

/** Records memory use. Forces a garbage collection before it records a high value, to exclude released buffers. */
const samplePeak = async () => {
  if (!watching || sampling) return;
  sampling = true;
  if (memory().own - before.own > SUSPECT_GROWTH_MB) await collectAllGarbage();
  const { own, whole } = memory();
  peak = { own: Math.max(own, peak.own), whole: Math.max(whole, peak.whole) };
  sampling = false;
};

const begin = async () => {
  await collectAllGarbage();
  before = memory();
  peak = before;
  watching = true;
  delay.reset();
  delay.enable();
  busyTime.reset();
};

const end = async (): Promise<LoopReading> => {
  delay.disable();
  watching = false;
  const delayMs = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const found = {
    delay: { p999: delayMs(delay.percentile(99.9)), longest: delayMs(delay.max), samples: delay.count },
    cpuDelay: { p999: busyTime.percentile(99.9) / 1000, longest: busyTime.max / 1000, samples: busyTime.count },
  };
  const most = peak;
  await collectAllGarbage();
  const after = memory();
  const growth = (of: 'own' | 'whole') => ({ before: before[of], peak: most[of], after: after[of] });
  return { ...found, own: growth('own'), whole: growth('whole'), load: loadavg()[0] ?? 0 };
};

const answer = async (path: string | undefined) => JSON.stringify((await (path === '/begin' ? begin() : end())) ?? {});

if (isMainThread) {
  process.once('disconnect', () => process.exit(1)); // the measuring process has exited
  setInterval(sampleBusyTime, RESOLUTION_MS).unref();
  setInterval(samplePeak, SAMPLE_MS).unref();
  const socket = socketOf(process.pid);
  rmSync(socket, { force: true }); // left by a killed process with this pid
  process.once('exit', () => rmSync(socket, { force: true }));
  createServer(async ({ url }, response) => response.end(await answer(url)))
    .listen(socket)
    .unref();
}
