/** Being told to stop: by a signal, or by the end of the npm that started this process, which does not pass every signal on. */
import { performance } from 'node:perf_hooks';

const WATCH = 500;
/** A signal to a process group arrives twice: by itself, and from npm, which passes it on. */
const ONE_SIGNAL = 1000;

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
  // The scripts of package.json begin with `exec`, so no shell stands between npm and this process.
  const npm = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watching);
    if (first === undefined) hear('SIGTERM');
  }, WATCH);
  watching.unref();
}
