/** Runs the API and the workers: writes their output to log files, and prints their errors. */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { InvalidSettingsError } from './errors.mjs';
import { root } from './paths.mjs';
import { isAlive, processStartTime, stopProcess } from './processes.mjs';
import { readState, writeState } from './state-file.mjs';
import { keepRunning } from './supervisor.mjs';
import { printLine } from './terminal.mjs';

/**
 * The time for the API and the workers to exit after a stop signal, before they are killed. Together with the grace
 * periods of the databases, which stop afterwards, it is less than the 25 s within which `npm start` must exit.
 */
const STOP_GRACE_MS = 16_000;
const MAX_LOG_BYTES = 50 << 20;
const ERROR_LEVEL = 50;

function openLog(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
  return createWriteStream(file, { flags: 'a', mode: 0o600 });
}

/** Returns the text to print for a log line of level `error` or above; undefined for other log lines. */
export function errorText(line) {
  try {
    const { level, msg, err } = JSON.parse(line);
    return level >= ERROR_LEVEL ? [msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch {
    // Other output comes from Node itself and usually reports a problem.
    return line;
  }
}

function logOutput(name, stream, log) {
  createInterface({ input: stream }).on('line', (line) => {
    log.write(`${line}\n`);
    const text = errorText(line);
    if (text) printLine(`${name}: ${text}`);
  });
}

/** Stops the process of the given name if a killed `npm start` process has left it running. */
export async function stopLeftover(dataDir, name) {
  const { pid, started } = readState(dataDir)[name] ?? {};
  if (pid && isAlive(pid) && processStartTime(pid) === started) await stopProcess(pid, STOP_GRACE_MS);
}

/**
 * Keeps an entry file running under Node 24. Returns `{ stop, failure }`; the promise `failure` rejects if the process
 * exits because its settings are invalid.
 */
export function runChild({ name, file, node, env, dataDir }) {
  const log = openLog(path.join(dataDir, 'logs', `${name}.log`));
  const start = () => {
    // The child exits when the IPC channel closes, which it does if this process is killed.
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'];
    // Uses a separate process group, so that Ctrl-C reaches only this process, which stops the others in order.
    const child = spawn(node, [file], { cwd: root, env, detached: true, stdio });
    logOutput(name, child.stdout, log);
    logOutput(name, child.stderr, log);
    return child;
  };
  const onStart = (pid) => pid && writeState(dataDir, name, { pid, started: processStartTime(pid) });
  let onInvalidSettings;
  const failure = new Promise((resolve, reject) => {
    onInvalidSettings = () =>
      reject(new InvalidSettingsError(`${name} exited with code 2: its settings are invalid. See the output above.`));
  });
  failure.catch(() => {}); // prevents an unhandled rejection: the caller awaits it only until the system is ready
  const supervised = keepRunning({ name, start, onStart, onInvalidSettings });
  return { stop: () => supervised.stop(STOP_GRACE_MS), failure };
}
