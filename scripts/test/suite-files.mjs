/** Lists the files of the suite in groups, ordered by their durations in the last complete run. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from '../set-up/paths.mjs';
import { writeJson } from '../set-up/state-file.mjs';
import { testDataFolder } from '../set-up/test-folder.mjs';

const SUITE_FOLDERS = ['shared', 'workers', 'api', 'journeys', 'set-up', 'support'];
const DURATIONS_FILE = path.join(testDataFolder, 'durations.json');
/** Among files without a stored duration, those in this folder are assumed to be the longest. */
const LONGEST_FOLDER = 'journeys';
const BYTES_PER_SECOND = 4000;
/**
 * What the files of a group share: the API processes of test/support/api-process.ts, or a browser. One test process
 * runs a group, so that it starts the API processes or the browser only once. They end with the group, because an idle
 * API takes 2% of a processor.
 */
const SHARED_BY_GROUP = [/\bthe(Other|DeployedClients|Limited)Api\b|both-profiles\.ts'/, /\b(a|find)BrowserOrSkip\b/];

const testFilesIn = (folder) =>
  readdirSync(path.join(root, 'test', folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join('test', folder, name));

const estimateDuration = (file) =>
  (file.startsWith(path.join('test', LONGEST_FOLDER)) ? 1000 : 0) + statSync(file).size / BYTES_PER_SECOND;

/** Returns the index in SHARED_BY_GROUP of what a file shares; for a file that shares nothing, its own name. */
const groupOf = (file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const index = SHARED_BY_GROUP.findIndex((shared) => shared.test(text));
  return index < 0 ? file : index;
};

/** Returns all files of the suite as groups, each a list of files. Groups and their files are sorted, longest first. */
export function suiteGroups() {
  const durations = existsSync(DURATIONS_FILE) ? JSON.parse(readFileSync(DURATIONS_FILE, 'utf8')) : {};
  const seconds = (file) => durations[file] ?? estimateDuration(path.join(root, file));
  const groups = new Map();
  for (const file of SUITE_FOLDERS.flatMap(testFilesIn).toSorted((a, b) => seconds(b) - seconds(a))) {
    const name = groupOf(file);
    const group = groups.get(name) ?? { files: [], seconds: 0 };
    groups.set(name, group);
    group.files.push(file);
    group.seconds += seconds(file);
  }
  return [...groups.values()].toSorted((a, b) => b.seconds - a.seconds).map(({ files }) => files);
}

/** Stores the durations of a complete run for the next run. */
export const saveDurations = (results) =>
  writeJson(DURATIONS_FILE, Object.fromEntries(results.map(({ file, seconds }) => [file, Number(seconds.toFixed(1))])));
