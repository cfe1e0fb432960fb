/** Asking a process that runs with `loop-watch.ts` how it fared. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { Client } from 'undici';
import { config } from '#shared/config.ts';
import type { Member } from './fleet.ts';
import { type Reading, socketOf } from './loop-watch.ts';
import { until } from './until.ts';

const LOOP_WATCH = new URL('./loop-watch.ts', import.meta.url);

/** Setting of a fleet whose members are to be watched. */
export const WATCHED = { NODE_OPTIONS: `--import ${LOOP_WATCH.href}` };

/** A watched process that does nothing: as late as the machine makes every loop. */
export const anIdler = async () => {
  const child = fork(LOOP_WATCH);
  const pid = child.pid as number;
  await until(() => existsSync(socketOf(pid)), 20);
  return {
    pid,
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
};

/** Begins to watch a member of the fleet; the answer ends it. */
export const watch = async ({ pid }: Pick<Member, 'pid'>): Promise<() => Promise<Reading>> => {
  const client = new Client('http://watched', { socketPath: socketOf(pid) });
  const ask = async (path: string) => {
    const { body } = await client.request({ path, method: 'GET' });
    return body.json();
  };
  await ask('/begin');
  return async () => {
    const reading = await ask('/end');
    await client.close();
    return reading as Reading;
  };
};

const MB_OF_A_MIB = 1.048576;
/** What the parsing thread may take by its own limit. */
const PARSING_MB = config.PARSE_MEMORY * MB_OF_A_MIB;

const BOUNDS = { delayMs: 50, heldMs: 50, memoryMb: 64 };

/** The figures on one line. */
export const told = (name: string, { delay, held, own, whole, load }: Reading): string => {
  const ms = ({ p999, longest }: Reading['delay']) => `${p999.toFixed(1)} ms (longest ${longest.toFixed(1)})`;
  const mb = ({ before, peak, after }: Reading['own']) =>
    `+${(after - before).toFixed(0)} MB (at most +${(peak - before).toFixed(0)} over ${before.toFixed(0)})`;
  return `${name}: p99.9 of the loop's delay ${ms(delay)}, held by itself ${ms(held)}, memory ${mb(own)}, with the parsing thread ${mb(whole)}, load ${load.toFixed(1)}`;
};

/** Holds what a process did to itself against must-show 7: what it makes others wait for, whatever else the machine does. */
export const expectUnhurt = (name: string, reading: Reading) => {
  const { held, own, whole } = reading;
  const what = told(name, reading);
  expect(held.samples, what).to.be.greaterThan(1_000);
  expect(held.p999, what).to.be.lessThan(BOUNDS.heldMs);
  expect(own.peak - own.before, what).to.be.at.most(BOUNDS.memoryMb);
  expect(whole.peak - whole.before, what).to.be.at.most(BOUNDS.memoryMb + PARSING_MB);
};

/** Holds the delay by the clock against must-show 7, beside a process that did nothing meanwhile: what that one waited, the machine did. */
export const expectPunctual = (name: string, reading: Reading, idler: Reading) =>
  expect(reading.delay.p999, `${told(name, reading)}; ${told('idler', idler)}`).to.be.lessThan(
    BOUNDS.delayMs + idler.delay.p999,
  );
