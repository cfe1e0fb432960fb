/**
 * Temporary files of this process: uploads that are being received, and images that are being read. Each process has a
 * folder of its own and keeps refreshing the folder's modification time. The folder of a killed process becomes stale,
 * and another process deletes it.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '../config.ts';

const ROOT = join(config.DATA_DIR, 'incoming');
const REFRESH_INTERVAL_MS = Math.min(15_000, (config.LEASE_SECONDS * 1000) / 4);
const STALE_MS = 8 * REFRESH_INTERVAL_MS;

let ownFolder: Promise<string> | undefined;

const createOwnFolder = async (): Promise<string> => {
  const folder = join(ROOT, randomUUID());
  await mkdir(folder, { recursive: true });
  const refresh = () => utimes(folder, new Date(), new Date()).catch(() => mkdir(folder, { recursive: true }));
  setInterval(() => void refresh(), REFRESH_INTERVAL_MS).unref();
  return folder;
};

/** Runs `work` with an empty folder and deletes the folder afterwards. */
export const withTemporaryFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const parent = await (ownFolder ??= createOwnFolder());
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'file-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

/** Deletes the temporary files of processes that were killed. */
export const deleteStaleFolders = async (): Promise<void> => {
  const names = await readdir(ROOT).catch(() => []);
  for (const name of names) {
    const folder = join(ROOT, name);
    const found = await stat(folder).catch(() => null);
    if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(folder, { recursive: true, force: true });
  }
};
