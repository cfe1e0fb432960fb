/** A folder under `.test-data/` for one run of tests, and an end to what killed runs left there. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { recall } from './memory.mjs';
import { mongodb } from './mongodb.mjs';
import { root } from './paths.mjs';
import { end, startOf } from './processes.mjs';
import { redis } from './redis.mjs';

const home = path.join(root, '.test-data');

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

// A process is named by its id and its start, which no later process shares.
const nameOf = (pid) => `${pid}-${(startOf(pid) ?? '').replace(/\W+/g, '-')}`;
const lives = (name) => nameOf(Number.parseInt(name, 10)) === name;

/** The group of processes in which mocha ran for that folder, if it still runs. */
function mochaOf(folder) {
  const file = path.join(folder, 'mocha');
  const name = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return lives(name) ? Number.parseInt(name, 10) : undefined;
}

async function clear(folder) {
  const mocha = mochaOf(folder);
  if (mocha) process.kill(-mocha, 'SIGKILL');
  for (const kind of [mongodb, redis]) {
    const { port } = recall(folder)[kind.name] ?? {};
    const left = port && (await kind.ask(port));
    if (left && left.folder === path.join(folder, kind.name)) await end(left.pid);
  }
  remove(folder);
}

/**
 * A new folder of this run's own, as `{ folder, remove, owns }`; folders whose run was killed are cleared away first.
 * `owns(pid)` notes the process group that must end with this run.
 */
export async function makeTestFolder() {
  mkdirSync(home, { recursive: true });
  const left = readdirSync(home).filter((name) => !lives(name));
  for (const name of left) await clear(path.join(home, name));
  const folder = path.join(home, nameOf(process.pid));
  mkdirSync(folder);
  const owns = (pid) => writeFileSync(path.join(folder, 'mocha'), nameOf(pid));
  return { folder, owns, remove: () => remove(folder) };
}
