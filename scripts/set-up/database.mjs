/** Running a database of ours (MongoDB, Redis): adopt the one a kill left behind, or start one on a free port. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetUpError } from './errors.mjs';
import { recall, remember } from './memory.mjs';
import { freePort } from './ports.mjs';
import { end, hasEnded, until } from './processes.mjs';
import { findProgram } from './program.mjs';
import { keepRunning } from './supervise.mjs';

const TRIES = 3;
const READY = 60_000;

const lastLines = (file) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-3).join('\n') : '';

// A process group of its own: Ctrl-C reaches only us, and the databases stop last.
const launch = (program, args) => spawn(program, args, { detached: true, stdio: 'ignore' });

async function tryStart(kind, at, program) {
  const child = launch(program, kind.args(at));
  child.once('error', () => {});
  const check = async () => (hasEnded(child) ? { ended: true } : kind.ask(at.port));
  try {
    const found = await until(check, { timeout: READY });
    if (found?.folder === at.folder) return child;
  } catch (error) {
    if (!hasEnded(child)) await end(child.pid, kind.grace);
    throw error;
  }
  child.kill('SIGKILL');
  return undefined;
}

async function start(kind, place, program) {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const port = await freePort(place.port);
    const at = { ...place, port };
    // Written before the start: a kill in between must leave a trace to adopt by.
    remember(place.dataDir, kind.name, { port, program });
    const child = await tryStart(kind, at, program);
    if (child) return { port, running: child };
    await sleep(1000);
  }
  throw new SetUpError(`${kind.title} does not start.`, {
    tried: [`${program} on ports from ${place.port}`, `its log, ${place.log}, ends:\n${lastLines(place.log)}`],
    waysOut: kind.waysOut,
  });
}

async function leftOver(kind, { port, folder }) {
  const found = port > 0 && (await kind.ask(port));
  return found && found.folder === folder ? { port, running: found.pid } : undefined;
}

/** Where a database keeps its files and which port it should have: the remembered one before the usual one. */
function placeOf(kind, { dataDir, cache, anyPort }) {
  const folder = path.join(dataDir, kind.name);
  const log = path.join(dataDir, 'logs', `${kind.name}.log`);
  for (const needed of [folder, path.dirname(log)]) mkdirSync(needed, { recursive: true, mode: 0o700 });
  return { dataDir, cache, folder, log, port: recall(dataDir)[kind.name]?.port ?? (anyPort ? 0 : kind.port) };
}

const noteOf = (wanted, { port, adopted, version }) =>
  [
    adopted ? `the one left running, on port ${port}` : `${version} on port ${port}`,
    wanted > 0 && wanted !== port ? `, as ${wanted} is not free` : '',
  ].join('');

const find = (kind, { cache, earlier }, progress) => {
  const before = { label: 'the one used before', get: () => (existsSync(earlier ?? '') ? earlier : undefined) };
  return findProgram({ ...kind, name: kind.title, sources: [before, ...kind.sources(cache)] }, progress);
};

async function begin(kind, place, progress) {
  const earlier = recall(place.dataDir)[kind.name]?.program;
  const adopted = await leftOver(kind, place);
  if (adopted) return { ...adopted, adopted: true, file: earlier };
  const program = await find(kind, { cache: place.cache, earlier }, progress);
  return { ...program, ...(await start(kind, place, program.file)) };
}

/**
 * Have one database of ours running on loopback. `kind` says how (see mongodb.mjs), `setting` where:
 * `{ dataDir, cache, anyPort }`. Answers `{ note, uri, stop }`; it is started again when it ends unasked.
 */
export async function runDatabase(kind, setting, progress) {
  const place = placeOf(kind, setting);
  const begun = await begin(kind, place, progress);
  const at = { ...place, port: begun.port };
  const kept = keepRunning({
    name: kind.title,
    running: begun.running,
    start: () => launch(begun.file, kind.args(at)),
  });
  const stop = () => kept.stop(kind.grace);
  try {
    await kind.prepare?.(at.port);
  } catch (error) {
    await stop();
    throw error;
  }
  return { note: noteOf(place.port, begun), uri: kind.uri(at.port), stop };
}
