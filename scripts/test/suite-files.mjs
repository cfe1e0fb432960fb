/** Lists the files of the suite, ordered by their durations in the last complete run. */
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

const testFilesIn = (folder) =>
  readdirSync(path.join(root, 'test', folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join('test', folder, name));

const estimateDuration = (file) =>
  (file.startsWith(path.join('test', LONGEST_FOLDER)) ? 1000 : 0) + statSync(file).size / BYTES_PER_SECOND;

/** Returns all files of the suite, longest first. */
export function suiteFiles() {
  const durations = existsSync(DURATIONS_FILE) ? JSON.parse(readFileSync(DURATIONS_FILE, 'utf8')) : {};
  const seconds = (file) => durations[file] ?? estimateDuration(path.join(root, file));
  return SUITE_FOLDERS.flatMap(testFilesIn).toSorted((a, b) => seconds(b) - seconds(a));
}

/** Stores the durations of a complete run for the next run. */
export const saveDurations = (results) =>
  writeJson(DURATIONS_FILE, Object.fromEntries(results.map(({ file, seconds }) => [file, Number(seconds.toFixed(1))])));
