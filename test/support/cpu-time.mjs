/** CPU time of this process and of its children that have exited. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const CHILDREN_USER = 13;
const CHILDREN_SYSTEM = 14;

/** Only available on Linux; elsewhere the time of children is 0. */
function childrenSeconds() {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[CHILDREN_USER]) + Number(fields[CHILDREN_SYSTEM])) / TICKS_PER_SECOND;
}

/** Returns the CPU time so far, in seconds. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
}
