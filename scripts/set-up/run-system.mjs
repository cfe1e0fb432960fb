/** Starts the API and the workers and waits until they are ready. */
import path from 'node:path';
import { DEMO_OWNER_EMAIL } from '../demo.mjs';
import { SETTINGS_CHECKED_ENV } from './check-settings.mjs';
import { SetUpError } from './errors.mjs';
import { withNode } from './node.mjs';
import { root } from './paths.mjs';
import { freePort, tryPort } from './ports.mjs';
import { runProgram } from './processes.mjs';
import { runChild } from './run-child.mjs';
import { readState, writeState } from './state-file.mjs';
import { waitUntilReady } from './wait-ready.mjs';

const API_PORT = 3000;
const LOOPBACK = '127.0.0.1';
const COMMAND_TIMEOUT_MS = 60_000;

async function chooseApiPort(env, dataDir) {
  const host = env.HOST || LOOPBACK;
  if (!env.PORT) return freePort(readState(dataDir).api?.port ?? API_PORT, host);
  const port = await tryPort(Number(env.PORT), host);
  if (port) return port;
  throw new SetUpError(`Port ${env.PORT} on ${host} is not free.`, {
    remedies: ['set another PORT', 'unset PORT to use the next free port from 3000 on'],
  });
}

const childSettings = (services, { env, dataDir, port }) => ({
  ...services,
  ...SETTINGS_CHECKED_ENV,
  PORT: String(port),
  DATA_DIR: dataDir,
  OPERATORS: env.OPERATORS || DEMO_OWNER_EMAIL,
  NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || path.join(dataDir, 'cache', 'compile'),
});

function apiAddress(host, port) {
  const reachable = !host || host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Starts the API and the workers and waits until they are ready. `setting` is `{ env, dataDir, node, services, closers
 * }`; adds to `closers` the function that stops both. Returns `{ url, note, invitations, cli }`: `invitations` is the
 * notice about who may accept invitations, and `cli` runs a command of `npm run cli` with the same settings.
 */
export async function runSystem(setting, progress) {
  const { env, dataDir, node, services, closers } = setting;
  const port = await chooseApiPort(env, dataDir);
  writeState(dataDir, 'api', { port });
  const childEnv = { ...withNode(node, env), ...childSettings(services, { env, dataDir, port }) };
  const startChild = (name) => runChild({ name, file: `${name}/main.ts`, node, dataDir, env: childEnv });
  const children = [startChild('api'), startChild('workers')];
  closers.push(() => Promise.all(children.map((child) => child.stop())));
  const url = apiAddress(env.HOST, port);
  const ready = waitUntilReady(url, { logs: path.join(dataDir, 'logs'), progress });
  const { invitations } = await Promise.race([ready, ...children.map(({ failure }) => failure)]);
  const cli = (...args) =>
    runProgram(node, ['scripts/cli.ts', ...args], { cwd: root, env: childEnv, timeout: COMMAND_TIMEOUT_MS });
  return {
    url,
    cli,
    invitations,
    note: `ready on ${url}${!env.PORT && port !== API_PORT ? ` because ${API_PORT} is not free` : ''}`,
  };
}
