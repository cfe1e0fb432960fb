/** Prepares the folder of a new backup. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { FILE_LIST } from './manifest.ts';

/** The folders within the folder of a backup. */
export const COLLECTIONS_FOLDER = 'collections';
export const FILES_FOLDER = 'files';

/** The names of the files and folders that an interrupted backup may have left in its folder. */
const PARTS = [COLLECTIONS_FOLDER, FILES_FOLDER, FILE_LIST, 'manifest.json.partial'];

/**
 * Creates the folder of a backup; removes what an interrupted backup has left in it. Errors: 409 for a folder with
 * anything else, such as a finished backup.
 */
export const prepareFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const others = (await readdir(folder)).filter((name) => !PARTS.includes(name));
  if (others.length)
    throw new AppError(409, 'FOLDER_NOT_EMPTY', `${folder} contains ${others[0]}. Choose an empty or a new folder.`);
  for (const name of PARTS) await rm(join(folder, name), { recursive: true, force: true });
  for (const name of [COLLECTIONS_FOLDER, FILES_FOLDER]) await mkdir(join(folder, name));
};
