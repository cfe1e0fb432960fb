/** Creates a folder under `.test-data/` for one test run, and cleans up after runs that were killed. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { mongodb } from './mongodb.mjs';
import { root } from './paths.mjs';
import { processStartTime, stopProcess } from './processes.mjs';
import { redis } from './redis.mjs';
import { readState } from './state-file.mjs';

/** The folder of all test runs. */
export const testDataFolder = path.join(root, '.test-data');

const RUN_FOLDER = /^\d+-/;

const removeFolder = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

// Contains the start time, because a later process may have the same id.
const processName = (pid) => `${pid}-${(processStartTime(pid) ?? '').replace(/\W+/g, '-')}`;
const isRunning = (name) => processName(Number.parseInt(name, 10)) === name;

/** Returns the process groups of a run that are still running. */
function runningGroups(folder) {
  const file = path.join(folder, 'groups');
  const names = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return names.filter(isRunning).map((name) => Number.parseInt(name, 10));
}

/** Returns the folder of one process of a run. */
export const processFolder = (folder, number) => path.join(folder, String(number));

async function endDatabases(folder) {
  for (const kind of [mongodb, redis]) {
    const { port } = readState(folder)[kind.name] ?? {};
    const server = port && (await kind.describe(port));
    if (server && server.folder === path.join(folder, kind.name)) await stopProcess(server.pid);
  }
}

async function clearRun(folder) {
  for (const group of runningGroups(folder)) process.kill(-group, 'SIGKILL');
  for (const each of [folder, processFolder(folder, 1), processFolder(folder, 2)]) await endDatabases(each);
  removeFolder(folder);
}

/**
 * Ends the processes and removes the folders of killed runs, then creates the folder of this run. Returns `{ folder,
 * remove, registerGroup }`; `registerGroup(pid)` stores a process group that the next run ends if this run is killed.
 */
export async function makeTestFolder() {
  mkdirSync(testDataFolder, { recursive: true });
  const killedRuns = readdirSync(testDataFolder).filter((name) => RUN_FOLDER.test(name) && !isRunning(name));
  for (const name of killedRuns) await clearRun(path.join(testDataFolder, name));
  const folder = path.join(testDataFolder, processName(process.pid));
  mkdirSync(folder);
  const registerGroup = (pid) => appendFileSync(path.join(folder, 'groups'), `${processName(pid)}\n`);
  return { folder, registerGroup, remove: () => removeFolder(folder) };
}
