/** The commands that mongod has run and the processor time that processes have used, per operation. */
import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { openRedis, failFastRedis } from '#shared/queue/redis.ts';
import { cpuMsOf } from '../../support/process-cpu.ts';

/** Numbers by name: counts by command, or milliseconds of processor time by process. */
export type Totals = Record<string, number>;

/** What processes have used, either since they started or in a period of `seconds`. */
export interface Usage {
  seconds: number;
  commands: Totals;
  cpuMs: Totals;
}

/** Commands that drivers and servers send on their own. */
const INTERNAL = /^(hello|isMaster|ping|serverStatus|endSessions|_|repl|buildInfo|sasl|connectionStatus)/;

/** Applies `change` to each number and its name. Returns the results by name. */
export const mapTotals = (values: Totals, change: (value: number, name: string) => number): Totals =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));

/** Returns the sum of all numbers. */
export const sumOf = (values: Totals): number => Object.values(values).reduce((sum, value) => sum + value, 0);

const difference = (before: Totals, after: Totals): Totals =>
  mapTotals(after, (value, name) => value - (before[name] ?? 0));

/** Returns what mongod and the processes with these ids have used so far. */
const readUsage = async (pids: Totals): Promise<Usage> => {
  const status = await mongoose.connection.getClient().db('admin').command({ serverStatus: 1 });
  const all = Object.entries(status.metrics.commands as Record<string, { total?: number }>);
  const counted = all.filter(([name, { total }]) => total !== undefined && !INTERNAL.test(name));
  const commands = Object.fromEntries(counted.map(([name, { total }]) => [name, Number(total)]));
  return { seconds: Date.now() / 1000, commands, cpuMs: mapTotals({ ...pids, mongod: Number(status.pid) }, cpuMsOf) };
};

/** Returns what the processes use while `work` runs. */
export const usageDuring = async (pids: Totals, work: () => Promise<unknown>): Promise<Usage> => {
  const before = await readUsage(pids);
  await work();
  const after = await readUsage(pids);
  return {
    seconds: after.seconds - before.seconds,
    commands: difference(before.commands, after.commands),
    cpuMs: difference(before.cpuMs, after.cpuMs),
  };
};

/** Returns the average usage of one of `count` operations, excluding what the processes use when idle. */
export const perOperation = (used: Usage, idle: Usage, count: number): Pick<Usage, 'commands' | 'cpuMs'> => {
  const share = used.seconds / idle.seconds;
  const own = (values: Totals, idleValues: Totals) =>
    mapTotals(values, (value, name) => (value - (idleValues[name] ?? 0) * share) / count);
  return { commands: own(used.commands, idle.commands), cpuMs: own(used.cpuMs, idle.cpuMs) };
};

/** Formats the numbers above 0.05, largest first. */
export const formatTotals = (values: Totals): string =>
  Object.entries(values)
    .filter(([, value]) => value > 0.05)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, value]) => `${name} ${value.toFixed(1)}`)
    .join(', ');

/** Formats the processor time and commands per operation. The rounds have `count` operations in total. */
export const formatUsage = (rounds: Usage[], count: number): string => {
  const each = (select: (usage: Usage) => Totals): Totals => {
    const names = Object.keys(select(rounds[0] as Usage));
    const total = (name: string) => rounds.reduce((sum, usage) => sum + (select(usage)[name] ?? 0), 0);
    return Object.fromEntries(names.map((name) => [name, total(name) / count]));
  };
  const [cpuMs, commands] = [each((usage) => usage.cpuMs), each((usage) => usage.commands)];
  const byProcess = Object.entries(cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(3)}`);
  return `${sumOf(cpuMs).toFixed(3)} ms of processor time (${byProcess.join(', ')}) and ${sumOf(commands).toFixed(1)} commands (${formatTotals(commands)})`;
};

/** Returns the id of the Redis process. */
export const redisPid = async (): Promise<number> => {
  const redis = failFastRedis({ lazyConnect: true });
  await openRedis(redis);
  const info = await redis.info('server');
  redis.disconnect();
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
};

const BYTES_PER_KIB = 1024;

/** Returns a figure of a process's memory, such as `VmRSS`, in megabytes. */
const memoryMb = (pid: number, name: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * BYTES_PER_KIB) / 1_000_000;
};

/** Returns the resident memory of a process, in megabytes. */
export const residentMbOf = (pid: number): number => memoryMb(pid, 'VmRSS');

/**
 * Returns the resident memory of processes together, in megabytes. Pages of files, such as the program, count once: the
 * processes map the same files.
 */
export const residentMbTogether = (pids: number[]): number => {
  const ofFiles = pids.map((pid) => memoryMb(pid, 'RssFile'));
  const all = pids.reduce((sum, pid) => sum + residentMbOf(pid), 0);
  return all - ofFiles.reduce((sum, mb) => sum + mb, 0) + Math.max(...ofFiles);
};

/** Formats the resident memory of processes. */
export const residentMb = (pids: Totals): string =>
  Object.entries(pids)
    .map(([name, pid]) => `${name} ${residentMbOf(pid).toFixed(0)} MB`)
    .join(', ');
