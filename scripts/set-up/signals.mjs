/** Being told to stop: by a signal, or by the end of the npm that started this process, which does not pass every signal on. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const WATCH = 500;
/** A signal to a process group arrives twice: by itself, and from npm, which passes it on. */
const ONE_SIGNAL = 1000;
const SHELLS = new Set(['sh', 'dash', 'ash', 'bash', 'zsh']);

const procFile = (pid, name) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8').trim();
  } catch {
    // No such process, or a system without /proc.
    return '';
  }
};

/** The parent of a process; undefined where the system does not tell. */
function parentOf(pid) {
  const stat = procFile(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) || undefined;
}

/** Whether npm still runs: the parent, or the parent of the shell in between. */
function npmWatch() {
  const parent = process.ppid;
  const behindShell = SHELLS.has(procFile(parent, 'comm')) ? parentOf(parent) : undefined;
  return () => process.ppid === parent && (!behindShell || parentOf(parent) === behindShell);
}

/**
 * Call `stop(signal, again)` when this process is told to stop. Signals within one second are one; `again` is true for
 * those that come later.
 */
export function onStop(stop) {
  let first;
  const hear = (name) => {
    const again = first !== undefined;
    if (again && performance.now() - first <= ONE_SIGNAL) return;
    first ??= performance.now();
    stop(name, again);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => hear(name));
  if (!process.env.npm_lifecycle_event) return;
  const npmRuns = npmWatch();
  const watching = setInterval(() => {
    if (npmRuns()) return;
    clearInterval(watching);
    if (first === undefined) hear('SIGTERM');
  }, WATCH);
  watching.unref();
}
