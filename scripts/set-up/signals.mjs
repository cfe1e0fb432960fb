/**
 * Detects that this process must stop: by a signal, or by the end of the npm process that started it, since npm does
 * not pass on every signal.
 */
import { performance } from 'node:perf_hooks';

const PARENT_CHECK_MS = 500;
/** A signal to a process group arrives twice: directly, and passed on by npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Calls `stop(signal, again)` when this process must stop. Signals within one second count as one; `again` is true for
 * later ones.
 */
export function onStop(stop) {
  let firstAt;
  const handleSignal = (name) => {
    const again = firstAt !== undefined;
    if (again && performance.now() - firstAt <= SAME_SIGNAL_MS) return;
    firstAt ??= performance.now();
    stop(name, again);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => handleSignal(name));
  if (!process.env.npm_lifecycle_event) return;
  // The scripts of package.json start with `exec`, so that npm is the parent of this process.
  const npm = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watching);
    if (firstAt === undefined) handleSignal('SIGTERM');
  }, PARENT_CHECK_MS);
  watching.unref();
}
