/** Erases the data of a person from files in `DATA_DIR`: log files, and emails in the outbox folder. */
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '../../config.ts';
import { bytesPattern, valueBytesPattern } from './patterns.ts';
import type { Person } from './person.ts';

const filesIn = async (folder: string, ending: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
};

const CHUNK_BYTES = 1024 * 1024;
/** The parts in which a file is read overlap by this much, so that a value that spans two parts is found. */
const OVERLAP_BYTES = 1024;
const MASK = '*'.charCodeAt(0);

/** Overwrites the matches of the pattern in place, because a running process may be appending to the file. */
const maskFile = async (path: string, pattern: RegExp, dryRun: boolean): Promise<number> => {
  await using file = await open(path, dryRun ? 'r' : 'r+');
  const { size } = await file.stat();
  const buffer = Buffer.alloc(CHUNK_BYTES + OVERLAP_BYTES);
  const found = new Map<number, number>();
  for (let start = 0; start < size; start += CHUNK_BYTES) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    for (const match of buffer.toString('latin1', 0, bytesRead).matchAll(pattern))
      found.set(start + match.index, match[0].length);
  }
  if (!dryRun) for (const [at, length] of found) await file.write(Buffer.alloc(length, MASK), 0, length, at);
  return found.size;
};

/** Overwrites the data of the person in the log files of `npm start`. The location of other logs is unknown. */
export const eraseFromLogs = async (person: Person, dryRun: boolean): Promise<number> => {
  const pattern = valueBytesPattern(person);
  let count = 0;
  for (const path of await filesIn(join(config.DATA_DIR, 'logs'), '.log'))
    count += await maskFile(path, pattern, dryRun);
  return count;
};

/** Deletes the emails in the outbox folder that contain data of the person. */
export const eraseFromOutbox = async (person: Person, dryRun: boolean): Promise<number> => {
  const pattern = bytesPattern(person);
  let count = 0;
  for (const path of await filesIn(join(config.DATA_DIR, 'outbox'), '.eml')) {
    if (!(await containsPattern(path, pattern))) continue;
    count += 1;
    if (!dryRun) await rm(path, { force: true });
  }
  return count;
};

const containsPattern = async (path: string, pattern: RegExp): Promise<boolean> => {
  await using file = await open(path);
  return pattern.test(await file.readFile('latin1'));
};
