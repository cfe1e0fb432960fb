/** Keeping a process running: started again when it ends unasked, ended when asked. */
import { alive, end, hasEnded, isStopped, poll } from './processes.mjs';
import { say } from './terminal.mjs';

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;
const STEADY = 60_000;
/** A process ends with this code when its settings or arguments are wrong: another start would end the same way. */
const WRONG_USAGE = 'code 2';

const ended = (child) =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    if (hasEnded(child)) setImmediate(resolve, child.signalCode ?? `code ${child.exitCode}`);
  });

const adoptedEnded = async (pid) => {
  await poll(() => !alive(pid), { timeout: Infinity, every: 1000 });
  return 'no word';
};

/**
 * Keep one process running. `start()` spawns it; `running` is what runs already, a child or the id of an adopted one.
 * A process that ends unasked is started again after 1 s, then 2 s, up to 30 s; a minute of life resets the wait.
 * One that ends with code 2 is not started again, and `onRefused` is called.
 */
export function keepRunning({ name, start, running, onStart = () => {}, onRefused = () => {} }) {
  const now = { pid: undefined, stopping: false, wait: FIRST_WAIT, timer: undefined };

  const again = (since) => (how) => {
    now.pid = undefined;
    if (now.stopping || isStopped()) return;
    if (how === WRONG_USAGE) return onRefused();
    if (Date.now() - since > STEADY) now.wait = FIRST_WAIT;
    say(`${name} ended unasked (${how}); starting it again in ${now.wait / 1000} s`);
    now.timer = setTimeout(() => isStopped() || follow(start()), now.wait);
    now.wait = Math.min(now.wait * 2, LONGEST_WAIT);
  };

  const follow = (child) => {
    now.pid = typeof child === 'number' ? child : child.pid;
    onStart(now.pid);
    const gone = typeof child === 'number' ? adoptedEnded(child) : ended(child);
    void gone.then(again(Date.now()));
  };

  follow(running ?? start());
  return {
    pid: () => now.pid,
    stop: async (grace) => {
      now.stopping = true;
      clearTimeout(now.timer);
      if (now.pid) await end(now.pid, grace);
    },
  };
}
