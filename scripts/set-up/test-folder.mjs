/** A folder under `.test-data/` for one run of tests, and an end to what killed runs left there. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { recall, writeJson } from './memory.mjs';
import { mongodb } from './mongodb.mjs';
import { root } from './paths.mjs';
import { end, startOf } from './processes.mjs';
import { redis } from './redis.mjs';

const home = path.join(root, '.test-data');

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

function isInUse(folder) {
  const file = path.join(folder, 'owner.json');
  if (!existsSync(file)) return false;
  const { pid, started } = JSON.parse(readFileSync(file, 'utf8'));
  return startOf(pid) === started;
}

async function clear(folder) {
  for (const kind of [mongodb, redis]) {
    const { port } = recall(folder)[kind.name] ?? {};
    const left = port && (await kind.ask(port));
    if (left && left.folder === path.join(folder, kind.name)) await end(left.pid);
  }
  remove(folder);
}

/** A new folder of this run's own, as `{ folder, remove }`; folders whose run was killed are cleared away first. */
export async function makeTestFolder() {
  mkdirSync(home, { recursive: true });
  const others = readdirSync(home).map((name) => path.join(home, name));
  for (const folder of others) if (!isInUse(folder)) await clear(folder);
  const folder = mkdtempSync(path.join(home, 'run-'));
  writeJson(path.join(folder, 'owner.json'), { pid: process.pid, started: startOf(process.pid) });
  return { folder, remove: () => remove(folder) };
}
