/**
 * `npm start`: sets up this machine, runs the API and the workers, and stops them cleanly. This file is plain
 * JavaScript, because it must run on Node 18 or newer: it finds the Node 24 executable that runs the system.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDemo } from './demo.mjs';
import { checkSettings } from './set-up/check-settings.mjs';
import { explainError, SetUpError } from './set-up/errors.mjs';
import { helpText } from './set-up/help.mjs';
import { lockHolder, takeLock } from './set-up/lock.mjs';
import { findNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { cacheDir, dataDirOf, fingerprint } from './set-up/paths.mjs';
import { shortenGrace, stopRuns, waitUntil } from './set-up/processes.mjs';
import { stopLeftover } from './set-up/run-child.mjs';
import { runSystem } from './set-up/run-system.mjs';
import { startServices } from './set-up/services.mjs';
import { onStop } from './set-up/signals.mjs';
import { printStartMessage } from './set-up/start-message.mjs';
import { printLine, runSetUpStep, setQuiet } from './set-up/terminal.mjs';

const OTHER_START_TIMEOUT_MS = 600_000;
/** How long, after a signal, this process waits for the running setup step to end before it stops everything. */
const STEP_STOP_TIMEOUT_MS = 3000;
const closers = [];
let stopPromise;

/**
 * Stops everything in the reverse of the order in which it was started: the API and the workers, the databases, the
 * lock.
 */
async function closeAll() {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}

/**
 * Takes the lock of the data folder. If another `npm start` process holds the lock, waits until it is ready, and
 * returns its process id and URL as `{ other }`.
 */
async function takeLockOrFindHolder(name, progress) {
  let isReported = false;
  const tryLock = async () => {
    const lock = await takeLock(name);
    if (lock) return lock;
    const other = await lockHolder(name);
    if (!isReported) progress(`another npm start is using this data folder${other ? ` (process ${other.pid})` : ''}`);
    isReported = true;
    return other?.url ? { other } : undefined;
  };
  const result = await waitUntil(tryLock, { timeout: OTHER_START_TIMEOUT_MS, every: 500 });
  if (!result)
    throw new SetUpError('Another npm start is using this data folder and was not ready within ten minutes.', {
      remedies: ['stop the other npm start', 'set DATA_DIR to another folder'],
    });
  return result;
}

async function setUp(env, dataDir) {
  await runSetUpStep('Packages', async (progress) => ({
    note: (await ensurePackages(progress)) ? 'installed' : 'as in package-lock.json',
  }));
  const { node } = await runSetUpStep('Node', () => ({ node: findNode(), note: findNode() }));
  checkSettings(node, env);
  // The API and the workers of an `npm start` that was killed stop by themselves, but may still be running. Two APIs
  // cannot share a port, and old workers are not supervised.
  for (const name of ['api', 'workers']) await stopLeftover(dataDir, name);
  const services = await startServices({ env, dataDir, cache: cacheDir(env, dataDir), closers });
  return runSetUpStep('System', (progress) => runSystem({ env, dataDir, node, services, closers }, progress));
}

async function start(env) {
  const dataDir = dataDirOf(env);
  const name = fingerprint(dataDir);
  const lock = await runSetUpStep('Lock', async (progress) => ({
    ...(await takeLockOrFindHolder(name, progress)),
    note: dataDir,
  }));
  if (lock.other) return printLine(`Already running as process ${lock.other.pid}: ${lock.other.url}`);
  closers.push(lock.release);
  const { url, cli, invitations } = await setUp(env, dataDir);
  lock.publish({ url });
  const demo = await ensureDemo({ url, dataDir, cli });
  if (!stopPromise) printStartMessage({ url, dataDir, invitations, demo });
}

async function stopAll() {
  setQuiet();
  printLine('Stopping …');
  // `stopRuns` stops the programs of the setup, such as npm; `closeAll` stops the API, the workers and the databases.
  await Promise.all([stopRuns(), Promise.race([startPromise, sleep(STEP_STOP_TIMEOUT_MS)])]);
  await closeAll();
  printLine('Stopped.');
  process.exit(0);
}

/** Stops everything. After a repeated signal, each remaining process has two seconds to exit. */
function stop(isRepeated) {
  if (isRepeated) shortenGrace();
  stopPromise ??= stopAll();
}

async function fail(error) {
  if (stopPromise) return;
  process.stderr.write(`\n${explainError(error)}\n`);
  await closeAll();
  process.exit(error.exitCode ?? 1);
}

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  printLine(helpText);
  process.exit();
}
const startPromise = start(process.env).catch(fail);
onStop((name, isRepeated) => stop(isRepeated));
