/**
 * `npm run api`, `npm run workers` and `npm run cli`: runs one TypeScript file under Node 24 with the services that
 * `npm start` set up.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { DEMO_OWNER_EMAIL } from './demo.mjs';
import { checkSettings, SETTINGS_CHECKED_ENV } from './set-up/check-settings.mjs';
import { explainError } from './set-up/errors.mjs';
import { lockHolder } from './set-up/lock.mjs';
import { mongodb } from './set-up/mongodb.mjs';
import { findNode, withNode } from './set-up/node.mjs';
import { ensurePackages } from './set-up/packages.mjs';
import { dataDirOf, fingerprint, root } from './set-up/paths.mjs';
import { stopRuns } from './set-up/processes.mjs';
import { redis } from './set-up/redis.mjs';
import { onStop } from './set-up/signals.mjs';
import { readState } from './set-up/state-file.mjs';
import { printLine } from './set-up/terminal.mjs';

const STOP_TIMEOUT_MS = 24_000;
let child;

/** Returns the settings that `npm start` stored. Environment variables take precedence. */
function storedSettings(dataDir) {
  const state = readState(dataDir);
  return {
    ...(state.mongodb && { MONGODB_URI: mongodb.uri(state.mongodb.port) }),
    ...(state.redis && { REDIS_URL: redis.uri(state.redis.port) }),
    ...(state.model?.file && { EMBEDDING_MODEL_FILE: state.model.file }),
    ...(state.intents?.folder && { INTENT_ENCODER: state.intents.folder }),
    ...(existsSync(path.join(dataDir, 'demo.json')) && { OPERATORS: DEMO_OWNER_EMAIL }),
  };
}

const isSet = ([, value]) => value !== undefined && value !== '';

function childEnvironment(node) {
  const env = Object.fromEntries(Object.entries(process.env).filter(isSet));
  const dataDir = dataDirOf(env);
  const compileCache = { NODE_COMPILE_CACHE: path.join(dataDir, 'cache', 'compile') };
  const stored = { ...storedSettings(dataDir), DATA_DIR: dataDir };
  const SETTINGS_STORED = Object.keys(stored)
    .filter((name) => !(name in env))
    .join(',');
  return withNode(node, { ...compileCache, ...stored, ...env, DATA_DIR: dataDir, SETTINGS_STORED });
}

/** Warns if `npm start` is not running and the environment does not name both MongoDB and Redis. */
async function warnIfNotStarted({ MONGODB_URI, REDIS_URL }) {
  if ((MONGODB_URI && REDIS_URL) || (await lockHolder(fingerprint(dataDirOf(process.env))))) return;
  process.stderr.write('npm start is not running: start it first, or set MONGODB_URI and REDIS_URL.\n');
}

/** Runs a TypeScript file. The child exits when the IPC channel closes, which it does if this process is killed. */
function runFile([file, ...args]) {
  const node = findNode();
  const env = childEnvironment(node);
  if (args[0] !== 'config') checkSettings(node, env); // the command reports invalid settings itself
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  child = spawn(node, [path.join(root, file), ...args], { cwd: root, env: { ...env, ...SETTINGS_CHECKED_ENV }, stdio });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Passes a signal on to the child process, and kills it if it has not exited after 24 s. */
async function stop(name) {
  if (!child) {
    await stopRuns();
    process.exit(128 + constants.signals[name]);
  }
  child.kill(name);
  setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS).unref();
}

onStop(stop);
try {
  await ensurePackages((text) => printLine(`… ${text}`));
  await warnIfNotStarted(process.env);
  runFile(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(error.exitCode ?? 1);
}
