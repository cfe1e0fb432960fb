/** Compares the files in the folder of a backup with the manifest. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from './bson-file.ts';
import { readFileList } from './file-list.ts';
import { FILE_LIST, type Manifest } from './manifest.ts';
import type { OnProgress } from './progress.ts';

/** A file that is missing or damaged, and what is wrong with it. */
export interface Problem {
  name: string;
  problem: string;
}

const MISSING_CODES = ['ENOENT', 'ENOTDIR'];

const findDamage = async (folder: string, name: string, hash: string): Promise<Problem[]> => {
  try {
    const digest = await digestOf(createReadStream(join(folder, name)));
    return digest.hash === hash ? [] : [{ name, problem: 'its bytes have changed since the backup' }];
  } catch (error) {
    if (!MISSING_CODES.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return [{ name, problem: 'it is missing' }];
  }
};

/** Returns the files of a backup that are missing or damaged, by their paths in the folder. */
export const findDamagedParts = async (
  folder: string,
  { collections, files }: Manifest,
  onProgress: OnProgress,
): Promise<Problem[]> => {
  const total = collections.length + 1 + files.count;
  let done = 0;
  const problems: Problem[] = [];
  const check = async (name: string, hash: string): Promise<void> => {
    problems.push(...(await findDamage(folder, name, hash)));
    onProgress('Backup', { done: (done += 1), total });
  };
  for (const { file, fileHash } of collections) await check(file, fileHash);
  await check(FILE_LIST, files.listHash);
  if (problems.at(-1)?.name === FILE_LIST) return problems; // the files cannot be checked without their list
  for await (const { path, hash } of readFileList(folder)) await check(path, hash);
  return problems;
};
