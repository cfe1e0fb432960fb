/** The files of the suite, in the order of their durations in the last whole run. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeJson } from '../set-up/memory.mjs';
import { root } from '../set-up/paths.mjs';
import { home } from '../set-up/test-folder.mjs';

const FOLDERS = ['shared', 'workers', 'api', 'journeys', 'set-up', 'support'];
const DURATIONS = path.join(home, 'durations.json');
/** Without a whole run before, the journeys are taken for the longest; of other files the larger ones. */
const LONGEST = 'journeys';
const BYTES_PER_SECOND = 4000;

const testsOf = (folder) =>
  readdirSync(path.join(root, 'test', folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join('test', folder, name));

const guess = (file) =>
  (file.startsWith(path.join('test', LONGEST)) ? 1000 : 0) + statSync(file).size / BYTES_PER_SECOND;

/** Every file of the suite, the longest first. */
export function suiteFiles() {
  const known = existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, 'utf8')) : {};
  const seconds = (file) => known[file] ?? guess(path.join(root, file));
  return FOLDERS.flatMap(testsOf).toSorted((a, b) => seconds(b) - seconds(a));
}

/** Keep the durations of a whole run for the next one. */
export const keepDurations = (results) =>
  writeJson(DURATIONS, Object.fromEntries(results.map(({ file, seconds }) => [file, Number(seconds.toFixed(1))])));
