/** `npm start`: set up this machine, run the API and the workers, stop them cleanly. Plain JavaScript for any Node >= 18. */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDemo } from './demo.mjs';
import { announce } from './set-up/announce.mjs';
import { endLeftOver } from './set-up/child.mjs';
import { explain, SetUpError } from './set-up/errors.mjs';
import { help } from './set-up/help.mjs';
import { holderOf, take } from './set-up/lock.mjs';
import { findNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { cacheDir, dataDirOf, fingerprint } from './set-up/paths.mjs';
import { hurry, stopRuns, until } from './set-up/processes.mjs';
import { startServices } from './set-up/services.mjs';
import { checkSettings } from './set-up/settings.mjs';
import { onStop } from './set-up/signals.mjs';
import { runSystem } from './set-up/system.mjs';
import { beQuiet, say, step } from './set-up/terminal.mjs';

const ANOTHER_START = 600_000;
/** A step that was begun may take this long to notice that it is to stop. */
const STARTING = 3000;
const closers = [];
let stopping;

/** End what was started, last first: the API and the workers, then the databases, then the lock. */
async function closeAll() {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}

/** The lock of the data folder, or `{ other }`, the start that has it, once that is ready. */
async function lockOrOther(name, progress) {
  let told = false;
  const settled = async () => {
    const lock = await take(name);
    if (lock) return lock;
    const other = await holderOf(name);
    if (!told) progress(`another start has this data folder${other ? ` (process ${other.pid})` : ''}`);
    told = true;
    return other?.url ? { other } : undefined;
  };
  const result = await until(settled, { timeout: ANOTHER_START, every: 500 });
  if (!result) throw new SetUpError('Another start has this data folder and does not get ready.');
  return result;
}

async function setUp(env, dataDir) {
  await step('Packages', async (progress) => ({
    note: (await ensurePackages(progress)) ? 'installed' : 'as in package-lock.json',
  }));
  const { node } = await step('Node', () => ({ node: findNode(), note: findNode() }));
  checkSettings(node, env);
  // A kill may have left them: two APIs cannot share a port, and nobody would watch the old workers.
  for (const name of ['api', 'workers']) await endLeftOver(dataDir, name);
  const services = await startServices({ env, dataDir, cache: cacheDir(env, dataDir), closers });
  return step('System', (progress) => runSystem({ env, dataDir, node, services, closers }, progress));
}

async function start(env) {
  const dataDir = dataDirOf(env);
  const name = fingerprint(dataDir);
  const lock = await step('Lock', async (progress) => ({ ...(await lockOrOther(name, progress)), note: dataDir }));
  if (lock.other) return say(`It runs already, as process ${lock.other.pid}: ${lock.other.url}`);
  closers.push(lock.release);
  const { url, cli, invitations } = await setUp(env, dataDir);
  lock.tell({ url });
  const demo = await makeDemo({ url, dataDir, cli });
  if (!stopping) announce({ url, dataDir, invitations, demo });
}

async function stopAll() {
  beQuiet();
  say('Stopping …');
  await Promise.all([stopRuns(), Promise.race([starting, sleep(STARTING)])]);
  await closeAll();
  say('Stopped.');
  process.exit(0);
}

/** Told to stop; told again, what still runs has two seconds. */
function stop(again) {
  if (again) hurry();
  stopping ??= stopAll();
}

async function fail(error) {
  if (stopping) return;
  process.stderr.write(`\n${explain(error)}\n`);
  await closeAll();
  process.exit(error.exitCode ?? 1);
}

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  say(help);
  process.exit();
}
const starting = start(process.env).catch(fail);
onStop((name, again) => stop(again));
