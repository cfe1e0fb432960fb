/** Reads the folders of LanceDB tables. */
import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTableFolder, type TableLocation } from './lance-table-location.ts';

const isNotFound = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * Returns an id that distinguishes a folder from a later folder at the same path; undefined if the folder is missing.
 */
export async function folderIdentity(path: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeNs } = await stat(path, { bigint: true });
    return `${ino}:${birthtimeNs}`;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Renames a path; does nothing if it does not exist. */
export async function renameIfPresent(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns the names in a folder; an empty array if the folder is missing. */
export async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/**
 * Whether the root folder contains the folder of a project, whose name is the project id. Other names belong to
 * temporary files and folders.
 */
export const hasTables = async (root: string): Promise<boolean> =>
  (await listFolder(root)).some((name) => /^[0-9a-f]{24}$/.test(name));

/** Returns the locations of the tables of a project, or of one of its namespaces. */
export async function listTables(root: string, project: string, namespace = ''): Promise<TableLocation[]> {
  const locations = (await listFolder(join(root, project))).map((name) => parseTableFolder(root, project, name));
  return locations.filter(
    (location) => location !== undefined && (!namespace || location.namespace === namespace),
  ) as TableLocation[];
}
