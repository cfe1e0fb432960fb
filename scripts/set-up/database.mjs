/**
 * Runs a local database (MongoDB or Redis). Reuses a process that a killed `npm start` process has left running;
 * otherwise starts one on a free port.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetUpError } from './errors.mjs';
import { findProgram } from './find-program.mjs';
import { freePort } from './ports.mjs';
import { hasEnded, isAlive, processStartTime, stopProcess, waitUntil } from './processes.mjs';
import { readState, writeState } from './state-file.mjs';
import { keepRunning } from './supervisor.mjs';

const START_ATTEMPTS = 3;
const READY_TIMEOUT_MS = 60_000;

const readLastLines = (file) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-3).join('\n') : '';

// Uses a separate process group, so that Ctrl-C does not reach the databases, which must stop last.
const spawnDatabase = (program, args) => spawn(program, args, { detached: true, stdio: 'ignore' });

/** Starts a database. Returns its process; undefined if it exits or another server answers on its port. */
async function tryStart(kind, location, program) {
  const child = spawnDatabase(program, kind.args(location));
  child.once('error', () => {});
  const check = async () => (hasEnded(child) ? { ended: true } : kind.describe(location.port));
  try {
    const server = await waitUntil(check, { timeout: READY_TIMEOUT_MS });
    if (server?.folder === location.folder) return child;
  } catch (error) {
    if (!hasEnded(child)) await stopProcess(child.pid, kind.graceMs);
    throw error;
  }
  child.kill('SIGKILL');
  return undefined;
}

async function startOnFreePort(kind, location, program) {
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const port = await freePort(location.port);
    // Stores the port before the database starts, so that a later `npm start` finds it if this process is killed.
    writeState(location.dataDir, kind.name, { port, program });
    const child = await tryStart(kind, { ...location, port }, program);
    if (child) {
      writeState(location.dataDir, kind.name, { pid: child.pid, started: processStartTime(child.pid) });
      return { port, running: child };
    }
    await sleep(1000);
  }
  throw new SetUpError(`${kind.title} could not be started.`, {
    tried: [
      `${program} on port ${location.port} and up`,
      `its log ${location.log} ends with:\n${readLastLines(location.log)}`,
    ],
    remedies: kind.remedies,
  });
}

/**
 * Returns the database that a killed `npm start` process has left running on its port; undefined if there is none.
 * Because two databases must not use the same folder, waits until a running database answers, which may take seconds on
 * a busy machine.
 */
async function findLeftover(kind, { dataDir, port, folder }) {
  if (!(port > 0)) return undefined;
  const { pid, started } = readState(dataDir)[kind.name] ?? {};
  const isRunning = () => pid && isAlive(pid) && processStartTime(pid) === started;
  const ask = async () => (await kind.describe(port)) ?? !isRunning();
  const server = await waitUntil(ask, { timeout: READY_TIMEOUT_MS });
  return server?.folder === folder ? { port, running: server.pid } : undefined;
}

/** Returns the folders of a database and its preferred port: the port of the previous start, or the default. */
function locate(kind, { dataDir, cache, anyPort, skipsJournal }) {
  const folder = path.join(dataDir, kind.name);
  const log = path.join(dataDir, 'logs', `${kind.name}.log`);
  for (const each of [folder, path.dirname(log)]) mkdirSync(each, { recursive: true, mode: 0o700 });
  const port = readState(dataDir)[kind.name]?.port ?? (anyPort ? 0 : kind.port);
  return { dataDir, cache, folder, log, port, skipsJournal };
}

const startNote = (preferredPort, { port, isReused, version }) =>
  [
    isReused ? `already running on port ${port}, reused` : `${version} on port ${port}`,
    preferredPort > 0 && preferredPort !== port ? ` because ${preferredPort} is not free` : '',
  ].join('');

const findDatabaseProgram = (kind, { cache, earlier }, progress) => {
  const previous = { label: 'the program used before', get: () => (existsSync(earlier ?? '') ? earlier : undefined) };
  return findProgram({ ...kind, name: kind.title, sources: [previous, ...kind.sources(cache)] }, progress);
};

async function reuseOrStart(kind, location, progress) {
  const earlier = readState(location.dataDir)[kind.name]?.program;
  const leftover = await findLeftover(kind, location);
  if (leftover) return { ...leftover, isReused: true, file: earlier };
  const program = await findDatabaseProgram(kind, { cache: location.cache, earlier }, progress);
  return { ...program, ...(await startOnFreePort(kind, location, program.file)) };
}

/**
 * Runs one local database on loopback, and restarts it if it exits unexpectedly. `kind` describes the database (see
 * mongodb.mjs); `setting` is `{ dataDir, cache, anyPort, skipsJournal }`. Returns `{ note, uri, stop }`.
 */
export async function runDatabase(kind, setting, progress) {
  const location = locate(kind, setting);
  const started = await reuseOrStart(kind, location, progress);
  const supervised = keepRunning({
    name: kind.title,
    running: started.running,
    start: () => spawnDatabase(started.file, kind.args({ ...location, port: started.port })),
  });
  const stop = () => supervised.stop(kind.graceMs);
  try {
    await kind.prepare?.(started.port, setting);
  } catch (error) {
    await stop();
    throw error;
  }
  return { note: startNote(location.port, started), uri: kind.uri(started.port), stop };
}
