/** Runs, checks and stops processes. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_ERROR_CHARACTERS = 800;
const GRACE_MS = 2000;
const STOPPED_MESSAGE = 'the setup was stopped';

const shorten = (text) =>
  text.length <= MAX_ERROR_CHARACTERS
    ? text
    : `${text.slice(0, MAX_ERROR_CHARACTERS / 2)} … ${text.slice(-MAX_ERROR_CHARACTERS / 2)}`;

const runningChildren = new Set();
let isStopping = false;
let isHurried = false;

/** Whether `stopRuns` was called, after which no program may be started. */
export const isStopped = () => isStopping;

/** Stops all programs that `runProgram` has started, and prevents new ones. Resolves when all have exited. */
export async function stopRuns() {
  isStopping = true;
  for (const child of runningChildren) child.kill();
  // npm may keep running for a while after SIGTERM.
  if (await poll(() => runningChildren.size === 0, { timeout: GRACE_MS })) return;
  for (const child of runningChildren) child.kill('SIGKILL');
  await poll(() => runningChildren.size === 0, { timeout: GRACE_MS });
}

/** Makes `stopProcess` wait at most two seconds before it sends SIGKILL. */
export const shortenGrace = () => {
  isHurried = true;
};

/** Runs a program until it exits. Returns its output; rejects with its error output. `timeout` is in milliseconds. */
export const runProgram = (command, args, { cwd, env = process.env, timeout = 0 } = {}) =>
  new Promise((resolve, reject) => {
    if (isStopping) return reject(new Error(STOPPED_MESSAGE));
    const child = execFile(command, args, { cwd, env, timeout, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      runningChildren.delete(child);
      if (!error) return resolve(stdout);
      const reason = error.killed ? `timed out after ${timeout / 1000} s` : stderr || stdout || error.message;
      reject(new Error(shorten(reason.trim()), { cause: error }));
    });
    runningChildren.add(child);
  });

/** Whether a program runs without an error. */
export const canRun = (command, args) =>
  runProgram(command, args, { timeout: 20_000 }).then(
    () => true,
    () => false,
  );

/** Whether a process with this id exists. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Returns the start time of a process in the format of the system; undefined if there is no such process. Only the id
 * and the start time together identify a process, because ids are reused.
 */
export function processStartTime(pid) {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Counts fields after the name of the program, which is in parentheses and may contain spaces.
    return stat.slice(stat.lastIndexOf(')')).split(' ')[20];
  } catch {
    return undefined;
  }
}

/** Whether a child process has exited or was never started. */
export const hasEnded = (child) => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/**
 * Calls `check` every `every` milliseconds until it returns a truthy value, and returns this value; undefined after
 * `timeout` milliseconds.
 */
export async function poll(check, { timeout, every = 50 }) {
  for (const end = Date.now() + timeout; ; ) {
    const answer = await check();
    if (answer) return answer;
    if (Date.now() > end) return undefined;
    await sleep(every);
  }
}

/** Polls as `poll` does, but throws once `stopRuns` is called. */
export const waitUntil = (check, intervals) =>
  poll(() => {
    if (isStopping) throw new Error(STOPPED_MESSAGE);
    return check();
  }, intervals);

const sendSignal = (pid, name) => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};

/** Stops a process: sends SIGTERM, and SIGKILL after `graceMs`. Resolves when the process has exited. */
export async function stopProcess(pid, graceMs = 20_000) {
  const isGone = () => !isAlive(pid);
  let hurriedSince;
  const isShortGraceOver = () => {
    if (isHurried) hurriedSince ??= Date.now();
    return Date.now() - hurriedSince > GRACE_MS;
  };
  sendSignal(pid, 'SIGTERM');
  await poll(() => isGone() || isShortGraceOver(), { timeout: graceMs });
  if (isGone()) return;
  sendSignal(pid, 'SIGKILL');
  await poll(isGone, { timeout: 5000 });
}
