/**
 * Creates the folder of one test run, in memory if there is room, and cleans up after killed runs. A database in memory
 * takes a third less CPU time, and its writes do not wait for the disk.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';
import { mongodb } from './mongodb.mjs';
import { fingerprint, isWritable, root } from './paths.mjs';
import { processStartTime, stopProcess } from './processes.mjs';
import { redis } from './redis.mjs';
import { readState } from './state-file.mjs';

/** The folder for files that test runs keep for later runs, and for the folders of runs that do not fit in memory. */
export const testDataFolder = path.join(root, '.test-data');

/** The in-memory file system of Linux. */
const MEMORY_FILE_SYSTEM = '/dev/shm';
/** Runs use memory only if more than this is free: a run stores up to 3 GiB, and other programs need the rest. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

const RUN_FOLDER = /^\d+-/;

const memoryFolder = () => path.join(MEMORY_FILE_SYSTEM, `support-chat-tests-${fingerprint(root)}`);

/** `TEST_FILES=disk` is for runs that store more than fits in memory, such as a project of 1,000,000 conversations. */
function hasRoomInMemory() {
  if (process.env.TEST_FILES === 'disk' || !existsSync(MEMORY_FILE_SYSTEM)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FILE_SYSTEM);
  const freeMemory = process.availableMemory?.() ?? freemem();
  return Math.min(bavail * bsize, freeMemory) > MIN_FREE_BYTES && isWritable(memoryFolder());
}

const removeFolder = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

// The name includes the start time of the process, because a later process may have the same id.
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

const processFolders = (folder) =>
  readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processFolder(folder, name));

async function endDatabases(folder) {
  for (const kind of [mongodb, redis]) {
    const { port } = readState(folder)[kind.name] ?? {};
    const server = port && (await kind.describe(port));
    if (server && server.folder === path.join(folder, kind.name)) await stopProcess(server.pid);
  }
}

async function clearRun(folder) {
  for (const group of runningGroups(folder)) process.kill(-group, 'SIGKILL');
  for (const each of [folder, ...processFolders(folder)]) await endDatabases(each);
  removeFolder(folder);
}

async function clearKilledRuns(folderOfRuns) {
  if (!existsSync(folderOfRuns)) return;
  const killedRuns = readdirSync(folderOfRuns).filter((name) => RUN_FOLDER.test(name) && !isRunning(name));
  for (const name of killedRuns) await clearRun(path.join(folderOfRuns, name));
}

/**
 * Stops the processes and removes the folders of killed runs, then creates the folder of this run. Returns `{ folder,
 * remove, registerGroup }`; `registerGroup(pid)` stores a process group that the next run kills if this run is killed.
 */
export async function makeTestFolder() {
  for (const folderOfRuns of [testDataFolder, memoryFolder()]) await clearKilledRuns(folderOfRuns);
  mkdirSync(testDataFolder, { recursive: true });
  const folder = path.join(hasRoomInMemory() ? memoryFolder() : testDataFolder, processName(process.pid));
  mkdirSync(folder);
  const registerGroup = (pid) => appendFileSync(path.join(folder, 'groups'), `${processName(pid)}\n`);
  return { folder, registerGroup, remove: () => removeFolder(folder) };
}
