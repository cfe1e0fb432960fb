/** The API and the workers as children: with which settings, on which port, until they are ready. */
import path from 'node:path';
import { OWNER } from '../demo.mjs';
import { runChild } from './child.mjs';
import { SetUpError } from './errors.mjs';
import { recall, remember } from './memory.mjs';
import { withNode } from './node.mjs';
import { root } from './paths.mjs';
import { freePort, tryPort } from './ports.mjs';
import { run } from './processes.mjs';
import { untilReady } from './ready.mjs';
import { CHECKED } from './settings.mjs';

const API_PORT = 3000;
const LOOPBACK = '127.0.0.1';
const COMMAND_TIMEOUT = 60_000;

async function apiPort(env, dataDir) {
  const host = env.HOST || LOOPBACK;
  if (!env.PORT) return freePort(recall(dataDir).api?.port ?? API_PORT, host);
  const port = await tryPort(Number(env.PORT), host);
  if (port) return port;
  throw new SetUpError(`Port ${env.PORT} of ${host} is not free.`, {
    waysOut: ['set another PORT', 'unset PORT: the next free one from 3000 on is taken'],
  });
}

const settingsFor = (services, { env, dataDir, port }) => ({
  ...services,
  ...CHECKED,
  PORT: String(port),
  DATA_DIR: dataDir,
  OPERATORS: env.OPERATORS || OWNER,
  NODE_COMPILE_CACHE: path.join(dataDir, 'cache', 'compile'),
});

function addressOf(host, port) {
  const reachable = !host || host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Start the API and the workers and wait until all is ready; answers `{ url, note, invitations, cli }`, where `cli` runs a command
 * of `npm run cli` on the same settings.
 * `setting`: `{ env, dataDir, node, services, closers }`; the way to stop them is put into `closers`.
 */
export async function runSystem(setting, progress) {
  const { env, dataDir, node, services, closers } = setting;
  const port = await apiPort(env, dataDir);
  remember(dataDir, 'api', { port });
  const childEnv = { ...withNode(node, env), ...settingsFor(services, { env, dataDir, port }) };
  const keep = (name) => runChild({ name, file: `${name}/main.ts`, node, dataDir, env: childEnv });
  const children = [keep('api'), keep('workers')];
  closers.push(() => Promise.all(children.map((child) => child.stop())));
  const url = addressOf(env.HOST, port);
  const ready = untilReady(url, { logs: path.join(dataDir, 'logs'), progress });
  const { invitations } = await Promise.race([ready, ...children.map(({ refused }) => refused)]);
  const cli = (...args) =>
    run(node, ['scripts/cli.ts', ...args], { cwd: root, env: childEnv, timeout: COMMAND_TIMEOUT });
  return {
    url,
    cli,
    invitations,
    note: `ready on ${url}${!env.PORT && port !== API_PORT ? `, as ${API_PORT} is not free` : ''}`,
  };
}
