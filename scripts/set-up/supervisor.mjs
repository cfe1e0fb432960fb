/** Supervises a process: restarts it when it exits unexpectedly. */
import { hasEnded, isAlive, isStopped, poll, stopProcess } from './processes.mjs';
import { printLine } from './terminal.mjs';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
const STEADY_AFTER_MS = 60_000;
/** A process that exits with this code has invalid settings or arguments, so a restart would not help. */
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
 * Keeps one process running. `start()` spawns it; `running` is a process that is already running: a child process, or
 * the id of a process that an earlier `npm start` process has left running. Restarts a process that exits unexpectedly.
 * The delay before a restart is 1 s at first and doubles each time, up to 30 s; after the process has run for a minute,
 * the delay is 1 s again. If the process exits with code 2, calls `onInvalidSettings` instead.
 */
export function keepRunning({ name, start, running, onStart = () => {}, onInvalidSettings = () => {} }) {
  const state = { pid: undefined, stopping: false, wait: FIRST_WAIT_MS, timer: undefined };

  const restartAfter = (since) => (ending) => {
    state.pid = undefined;
    if (state.stopping || isStopped()) return;
    if (ending === INVALID_SETTINGS_ENDING) return onInvalidSettings();
    if (Date.now() - since > STEADY_AFTER_MS) state.wait = FIRST_WAIT_MS;
    printLine(`${name} exited unexpectedly (${ending}); restarting it in ${state.wait / 1000} s`);
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
