/**
 * Detects that this process must stop because it has received a signal, or because the npm process that started it has
 * exited (npm does not pass on every signal).
 */
import { performance } from 'node:perf_hooks';

const PARENT_CHECK_MS = 500;
/** Signals within this time count as one, because one sent to the process group arrives directly and through npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Calls `stop(signal, isRepeated)` when this process must stop, and again for each signal that arrives more than a
 * second after the first. `isRepeated` is true for the later signals.
 */
export function onStop(stop) {
  let firstAt;
  const handleSignal = (name) => {
    const isRepeated = firstAt !== undefined;
    if (isRepeated && performance.now() - firstAt <= SAME_SIGNAL_MS) return;
    firstAt ??= performance.now();
    stop(name, isRepeated);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => handleSignal(name));
  if (!process.env.npm_lifecycle_event) return;
  // The scripts of package.json start with `exec`, so that npm is the parent of this process.
  const npm = process.ppid;
  const parentCheck = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(parentCheck);
    if (firstAt === undefined) handleSignal('SIGTERM');
  }, PARENT_CHECK_MS);
  parentCheck.unref();
}
