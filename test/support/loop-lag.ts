/** Measures the event loop delay and the memory usage of a process that runs with `loop-watch.ts`. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { Client } from 'undici';
import { config } from '#shared/config.ts';
import type { FleetProcess } from './fleet.ts';
import { type LoopReading, socketOf } from './loop-reading.ts';
import { waitUntil } from './wait-until.ts';

const LOOP_WATCH = new URL('./loop-watch.ts', import.meta.url);

/** Settings of the processes that are measured. */
export const LOOP_WATCH_SETTINGS = { NODE_OPTIONS: `--import ${LOOP_WATCH.href}` };

/** A measured process that does nothing, so that its event loop delay is caused only by the load of the machine. */
export const anIdleProcess = async () => {
  const child = fork(LOOP_WATCH);
  const pid = child.pid as number;
  await waitUntil(() => existsSync(socketOf(pid)));
  return {
    pid,
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
};

/** Starts the measurement of a process; the returned function ends it and returns the result. */
export const startWatch = async ({ pid }: Pick<FleetProcess, 'pid'>): Promise<() => Promise<LoopReading>> => {
  const client = new Client('http://watched', { socketPath: socketOf(pid) });
  const request = async (path: string) => {
    const { body } = await client.request({ path, method: 'GET' });
    return body.json();
  };
  await request('/begin');
  return async () => {
    const reading = await request('/end');
    await client.close();
    return reading as LoopReading;
  };
};

const MB_OF_A_MIB = 1.048576;
/** The memory limit of the thread that parses web pages, files and sitemaps, in MB. */
const PARSING_MB = config.PARSE_MEMORY_MIB * MB_OF_A_MIB;

/**
 * The number of delay samples that a trial must exceed. A few seconds suffice for that, even on a busy machine, which
 * delays every sample.
 */
const MIN_SAMPLES = 300;
const LIMITS = { delayMs: 50, cpuDelayMs: 50, memoryMb: 64 };
/**
 * The allowed processor time of one loop turn grows by this share of the wall-clock delay, during which work
 * accumulates.
 */
const TURN_SHARE = 0.1;

/** The measurement as one line. */
export const describeReading = (name: string, { delay, cpuDelay, own, whole, load }: LoopReading): string => {
  const delayText = ({ p999, longest }: LoopReading['delay']) =>
    `${p999.toFixed(1)} ms (longest ${longest.toFixed(1)})`;
  const memoryText = ({ before, peak, after }: LoopReading['own']) =>
    `by ${(after - before).toFixed(0)} MB from ${before.toFixed(0)} MB (by ${(peak - before).toFixed(0)} MB at its peak)`;
  return `${name}: p99.9 of the loop's delay ${delayText(delay)}, delay in its own processor time ${delayText(cpuDelay)}, memory of the main thread grew ${memoryText(own)}, memory of the process ${memoryText(whole)}, load average ${load.toFixed(1)}`;
};

/** Checks the memory of the process and the delay that it causes itself, whatever the load of the machine. */
export const expectWithinLimits = (name: string, reading: LoopReading) => {
  const { delay, cpuDelay, own, whole } = reading;
  const description = describeReading(name, reading);
  expect(cpuDelay.samples, description).to.be.greaterThan(MIN_SAMPLES);
  expect(cpuDelay.p999, description).to.be.lessThan(LIMITS.cpuDelayMs + TURN_SHARE * delay.p999);
  expect(own.peak - own.before, description).to.be.at.most(LIMITS.memoryMb);
  expect(whole.peak - whole.before, description).to.be.at.most(LIMITS.memoryMb + PARSING_MB);
};

/** Checks the wall-clock delay, minus the delay of an idle process, which the load of the machine causes. */
export const expectDelayWithinLimit = (name: string, reading: LoopReading, idler: LoopReading) =>
  expect(reading.delay.p999, `${describeReading(name, reading)}; ${describeReading('idler', idler)}`).to.be.lessThan(
    LIMITS.delayMs + idler.delay.p999,
  );
