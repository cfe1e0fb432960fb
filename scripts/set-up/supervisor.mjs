/** Supervises a process: restarts it when it ends unexpectedly. */
import { hasEnded, isAlive, isStopped, poll, stopProcess } from './processes.mjs';
import { printLine } from './terminal.mjs';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
const STEADY_AFTER_MS = 60_000;
/** A process that ends with this code has invalid settings or arguments; a restart would not help. */
const INVALID_SETTINGS_ENDING = 'code 2';

const waitForEnd = (child) =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    if (hasEnded(child)) setImmediate(resolve, child.signalCode ?? `code ${child.exitCode}`);
  });

const waitForEndOfPid = async (pid) => {
  await poll(() => !isAlive(pid), { timeout: Infinity, every: 1000 });
  return 'unknown exit status';
};

/**
 * Keeps one process running. `start()` spawns it; `running` is a process that already runs: a child, or the id of one
 * that an earlier start left running. A process that ends unexpectedly is restarted after 1 s, then 2 s, up to 30 s;
 * after it has run for a minute, the delay is 1 s again. If it ends with code 2, `onInvalidSettings` is called instead.
 */
export function keepRunning({ name, start, running, onStart = () => {}, onInvalidSettings = () => {} }) {
  const state = { pid: undefined, stopping: false, wait: FIRST_WAIT_MS, timer: undefined };

  const restartAfter = (since) => (ending) => {
    state.pid = undefined;
    if (state.stopping || isStopped()) return;
    if (ending === INVALID_SETTINGS_ENDING) return onInvalidSettings();
    if (Date.now() - since > STEADY_AFTER_MS) state.wait = FIRST_WAIT_MS;
    printLine(`${name} ended unexpectedly (${ending}); restarting it in ${state.wait / 1000} s`);
    state.timer = setTimeout(() => isStopped() || watchProcess(start()), state.wait);
    state.wait = Math.min(state.wait * 2, MAX_WAIT_MS);
  };

  const watchProcess = (child) => {
    state.pid = typeof child === 'number' ? child : child.pid;
    onStart(state.pid);
    const ended = typeof child === 'number' ? waitForEndOfPid(child) : waitForEnd(child);
    void ended.then(restartAfter(Date.now()));
  };

  watchProcess(running ?? start());
  return {
    pid: () => state.pid,
    stop: async (graceMs) => {
      state.stopping = true;
      clearTimeout(state.timer);
      if (state.pid) await stopProcess(state.pid, graceMs);
    },
  };
}
