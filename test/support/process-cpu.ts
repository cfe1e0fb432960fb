/** The CPU time of processes, read from `/proc`, which exists only on Linux. */
import { readFileSync } from 'node:fs';

const MS_PER_TICK = 10;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Returns the CPU time of a process and of its running descendants, in milliseconds. */
export const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const own = (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK;
  return own + childrenOf(pid).reduce((sum, child) => sum + cpuMsOf(child), 0);
};
