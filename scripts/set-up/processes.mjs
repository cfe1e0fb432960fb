/** Small tools around child processes: run one to its end, ask whether one lives, end one. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const WORDS = 800;
const GRACE = 2000;
const STOPPED = 'told to stop';

const shorten = (text) => (text.length <= WORDS ? text : `${text.slice(0, WORDS / 2)} … ${text.slice(-WORDS / 2)}`);

const running = new Set();
let stopped = false;
let hurried = false;

/** Whether `stopRuns` was called: nothing more may be started. */
export const isStopped = () => stopped;

/** End what `run` runs, let nothing more be run or waited for, and resolve when all of it has ended. */
export async function stopRuns() {
  stopped = true;
  for (const child of running) child.kill();
  // npm goes on for a while after a polite word.
  if (await poll(() => running.size === 0, { timeout: GRACE })) return;
  for (const child of running) child.kill('SIGKILL');
  await poll(() => running.size === 0, { timeout: GRACE });
}

/** From now on `end` gives processes two seconds. */
export const hurry = () => {
  hurried = true;
};

/** Run a program to its end and answer what it printed; rejects with its error's text. `timeout` in milliseconds. */
export const run = (command, args, { cwd, env = process.env, timeout = 0 } = {}) =>
  new Promise((resolve, reject) => {
    if (stopped) return reject(new Error(STOPPED));
    const child = execFile(command, args, { cwd, env, timeout, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      running.delete(child);
      if (!error) return resolve(stdout);
      const words = (error.killed ? `no end after ${timeout / 1000} s` : stderr || stdout || error.message).trim();
      reject(new Error(shorten(words), { cause: error }));
    });
    running.add(child);
  });

/** Whether a program runs to its end without an error, as `pip --version` does where pip is whole. */
export const works = (command, args) =>
  run(command, args, { timeout: 20_000 }).then(
    () => true,
    () => false,
  );

/** Whether a process of that id lives. */
export function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** When the process started, as the system tells it: with its id the name of one process for ever; undefined if gone. */
export function startOf(pid) {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in brackets, may itself hold spaces: count from behind it.
    return stat.slice(stat.lastIndexOf(')')).split(' ')[20];
  } catch {
    return undefined;
  }
}

/** Whether that child of ours has ended, or never began. */
export const hasEnded = (child) => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/** Ask until `check` answers something true, which is the answer; undefined after `timeout` milliseconds. */
export async function poll(check, { timeout, every = 50 }) {
  for (const end = Date.now() + timeout; ; ) {
    const answer = await check();
    if (answer) return answer;
    if (Date.now() > end) return undefined;
    await sleep(every);
  }
}

/** The same for a step of the set-up: throws when the set-up is told to stop. */
export const until = (check, times) =>
  poll(() => {
    if (stopped) throw new Error(STOPPED);
    return check();
  }, times);

const signal = (pid, name) => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};

/** End a process: asked first, killed after `grace` milliseconds; resolves when it is gone. */
export async function end(pid, grace = 20_000) {
  const gone = () => !alive(pid);
  let hurriedSince;
  const impatient = () => {
    if (hurried) hurriedSince ??= Date.now();
    return Date.now() - hurriedSince > GRACE;
  };
  signal(pid, 'SIGTERM');
  await poll(() => gone() || impatient(), { timeout: grace });
  if (gone()) return;
  signal(pid, 'SIGKILL');
  await poll(gone, { timeout: 5000 });
}
