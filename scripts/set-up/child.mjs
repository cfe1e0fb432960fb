/** Running the API and the workers: their output goes to a log file, their errors to the terminal too. */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { RefusedError } from './errors.mjs';
import { recall, remember } from './memory.mjs';
import { root } from './paths.mjs';
import { alive, end, startOf } from './processes.mjs';
import { keepRunning } from './supervise.mjs';
import { say } from './terminal.mjs';

/** With the graces of the databases everything has ended 25 s after the signal. */
const GRACE = 16_000;
const LOG_LIMIT = 50 << 20;
const ERROR = 50;

function openLog(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  if (existsSync(file) && statSync(file).size > LOG_LIMIT) renameSync(file, `${file}.1`);
  return createWriteStream(file, { flags: 'a', mode: 0o600 });
}

/** The text of a log line that a person at the terminal must see: an error or worse; undefined for any other. */
export function errorIn(line) {
  try {
    const { level, msg, err } = JSON.parse(line);
    return level >= ERROR ? [msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch {
    // What is no log line comes from Node itself, and is seldom good news.
    return line;
  }
}

function follow(name, stream, log) {
  createInterface({ input: stream }).on('line', (line) => {
    log.write(`${line}\n`);
    const text = errorIn(line);
    if (text) say(`${name}: ${text}`);
  });
}

/** End the process of that name which outlived a killed start, if there is one. */
export async function endLeftOver(dataDir, name) {
  const { pid, started } = recall(dataDir)[name] ?? {};
  if (pid && alive(pid) && startOf(pid) === started) await end(pid, GRACE);
}

/** Keep one entry file of ours running under Node 24; answers `{ stop, refused }`. `child`: `{ name, file, node, env, dataDir }`. */
export function runChild({ name, file, node, env, dataDir }) {
  const log = openLog(path.join(dataDir, 'logs', `${name}.log`));
  const start = () => {
    // By the channel it notices when this process is killed, and ends.
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'];
    // A process group of its own: Ctrl-C reaches only us, and we end things in order.
    const child = spawn(node, [file], { cwd: root, env, detached: true, stdio });
    follow(name, child.stdout, log);
    follow(name, child.stderr, log);
    return child;
  };
  const onStart = (pid) => pid && remember(dataDir, name, { pid, started: startOf(pid) });
  let onRefused;
  const refused = new Promise((resolve, reject) => {
    onRefused = () => reject(new RefusedError(`${name} ended with code 2: its settings are wrong, see above.`));
  });
  refused.catch(() => {}); // waited for until the system is ready
  const kept = keepRunning({ name, start, onStart, onRefused });
  return { stop: () => kept.stop(GRACE), refused };
}
