/** Event loop and memory measurements of a process that runs with `loop-watch.ts`. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { Client } from 'undici';
import { config } from '#shared/config.ts';
import type { FleetProcess } from './fleet.ts';
import { type LoopReading, socketOf } from './loop-watch.ts';
import { waitUntil } from './wait-until.ts';

const LOOP_WATCH = new URL('./loop-watch.ts', import.meta.url);

/** Settings of a fleet with measured members. */
export const LOOP_WATCH_SETTINGS = { NODE_OPTIONS: `--import ${LOOP_WATCH.href}` };

/** A measured process that does nothing: its delay is that of the machine. */
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

/** Starts the measurement of a member of the fleet; the returned function ends it. */
export const startWatch = async ({ pid }: Pick<FleetProcess, 'pid'>): Promise<() => Promise<LoopReading>> => {
  const client = new Client('http://watched', { socketPath: socketOf(pid) });
  const ask = async (path: string) => {
    const { body } = await client.request({ path, method: 'GET' });
    return body.json();
  };
  await ask('/begin');
  return async () => {
    const reading = await ask('/end');
    await client.close();
    return reading as LoopReading;
  };
};

const MB_OF_A_MIB = 1.048576;
/** The memory limit of the parsing thread. */
const PARSING_MB = config.PARSE_MEMORY_MIB * MB_OF_A_MIB;

const LIMITS = { delayMs: 50, heldMs: 50, memoryMb: 64 };

/** The figures on one line. */
export const describeReading = (name: string, { delay, held, own, whole, load }: LoopReading): string => {
  const delayText = ({ p999, longest }: LoopReading['delay']) =>
    `${p999.toFixed(1)} ms (longest ${longest.toFixed(1)})`;
  const memoryText = ({ before, peak, after }: LoopReading['own']) =>
    `+${(after - before).toFixed(0)} MB (at most +${(peak - before).toFixed(0)} over ${before.toFixed(0)})`;
  return `${name}: p99.9 of the loop's delay ${delayText(delay)}, held by itself ${delayText(held)}, memory ${memoryText(own)}, with the parsing thread ${memoryText(whole)}, load ${load.toFixed(1)}`;
};

/** Checks the delay that the process causes itself, independent of the load of the machine. */
export const expectWithinLimits = (name: string, reading: LoopReading) => {
  const { held, own, whole } = reading;
  const what = describeReading(name, reading);
  expect(held.samples, what).to.be.greaterThan(1_000);
  expect(held.p999, what).to.be.lessThan(LIMITS.heldMs);
  expect(own.peak - own.before, what).to.be.at.most(LIMITS.memoryMb);
  expect(whole.peak - whole.before, what).to.be.at.most(LIMITS.memoryMb + PARSING_MB);
};

/** Checks the delay by the clock, less that of an idle process, which is caused by the machine. */
export const expectDelayWithinLimit = (name: string, reading: LoopReading, idler: LoopReading) =>
  expect(reading.delay.p999, `${describeReading(name, reading)}; ${describeReading('idler', idler)}`).to.be.lessThan(
    LIMITS.delayMs + idler.delay.p999,
  );
