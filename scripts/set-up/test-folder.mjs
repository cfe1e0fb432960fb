/** A folder under `.test-data/` for one run of tests, and an end to what killed runs left there. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { recall } from './memory.mjs';
import { mongodb } from './mongodb.mjs';
import { root } from './paths.mjs';
import { end, startOf } from './processes.mjs';
import { redis } from './redis.mjs';

/** The folder that holds the folders of all runs. */
export const home = path.join(root, '.test-data');

const RUN = /^\d+-/;

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

// A process is named by its id and its start, which no later process shares.
const nameOf = (pid) => `${pid}-${(startOf(pid) ?? '').replace(/\W+/g, '-')}`;
const lives = (name) => nameOf(Number.parseInt(name, 10)) === name;

/** The groups of processes in which mocha ran for that folder and which still run. */
function groupsOf(folder) {
  const file = path.join(folder, 'groups');
  const names = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return names.filter(lives).map((name) => Number.parseInt(name, 10));
}

/** The folder of one of several processes of a run. */
export const folderOf = (folder, number) => path.join(folder, String(number));

async function endDatabases(folder) {
  for (const kind of [mongodb, redis]) {
    const { port } = recall(folder)[kind.name] ?? {};
    const left = port && (await kind.ask(port));
    if (left && left.folder === path.join(folder, kind.name)) await end(left.pid);
  }
}

async function clear(folder) {
  for (const group of groupsOf(folder)) process.kill(-group, 'SIGKILL');
  for (const each of [folder, folderOf(folder, 1), folderOf(folder, 2)]) await endDatabases(each);
  remove(folder);
}

/**
 * A new folder of this run's own, as `{ folder, remove, owns }`; folders whose run was killed are cleared away first.
 * `owns(pid)` notes a process group that must end with this run.
 */
export async function makeTestFolder() {
  mkdirSync(home, { recursive: true });
  const left = readdirSync(home).filter((name) => RUN.test(name) && !lives(name));
  for (const name of left) await clear(path.join(home, name));
  const folder = path.join(home, nameOf(process.pid));
  mkdirSync(folder);
  const owns = (pid) => appendFileSync(path.join(folder, 'groups'), `${nameOf(pid)}\n`);
  return { folder, owns, remove: () => remove(folder) };
}
