/** `npm run api`, `workers`, `cli`: run one TypeScript file under Node 24 with the services `npm start` set up. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { OWNER } from './demo.mjs';
import { explain } from './set-up/errors.mjs';
import { holderOf } from './set-up/lock.mjs';
import { recall } from './set-up/memory.mjs';
import { mongodb } from './set-up/mongodb.mjs';
import { findNode, withNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { dataDirOf, fingerprint, root } from './set-up/paths.mjs';
import { stopRuns } from './set-up/processes.mjs';
import { redis } from './set-up/redis.mjs';
import { CHECKED, checkSettings } from './set-up/settings.mjs';
import { onStop } from './set-up/signals.mjs';
import { say } from './set-up/terminal.mjs';

const LONGEST_STOP = 24_000;
let child;

/** Settings a start wrote down; what the environment sets goes before them. */
function knownSettings(dataDir) {
  const known = recall(dataDir);
  return {
    ...(known.mongodb && { MONGODB_URI: mongodb.uri(known.mongodb.port) }),
    ...(known.redis && { REDIS_URL: redis.uri(known.redis.port) }),
    ...(known.model?.file && { EMBEDDING_MODEL_FILE: known.model.file }),
    ...(existsSync(path.join(dataDir, 'demo.json')) && { OPERATORS: OWNER }),
  };
}

const isSet = ([, value]) => value !== undefined && value !== '';

function environment(node) {
  const env = Object.fromEntries(Object.entries(process.env).filter(isSet));
  const dataDir = dataDirOf(env);
  const compiled = { NODE_COMPILE_CACHE: path.join(dataDir, 'cache', 'compile') };
  return withNode(node, { ...compiled, ...knownSettings(dataDir), ...env, DATA_DIR: dataDir });
}

/** The services of `npm start` run only as long as it does; whoever names their own needs none. */
async function warnIfNothingRuns({ MONGODB_URI, REDIS_URL }) {
  if ((MONGODB_URI && REDIS_URL) || (await holderOf(fingerprint(dataDirOf(process.env))))) return;
  process.stderr.write('npm start does not run here: start it first, or set MONGODB_URI and REDIS_URL.\n');
}

/** Run the file until it ends; by the channel it notices when this process is killed. */
function runFile([file, ...args]) {
  const node = findNode();
  const env = environment(node);
  checkSettings(node, env);
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  child = spawn(node, [path.join(root, file), ...args], { cwd: root, env: { ...env, ...CHECKED }, stdio });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** What a signal means is for the file to know; it has 24 s to end. */
async function stop(name) {
  if (!child) {
    await stopRuns();
    process.exit(128 + constants.signals[name]);
  }
  child.kill(name);
  setTimeout(() => child.kill('SIGKILL'), LONGEST_STOP).unref();
}

onStop(stop);
try {
  await ensurePackages((text) => say(`… ${text}`));
  await warnIfNothingRuns(process.env);
  runFile(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(error.exitCode ?? 1);
}
