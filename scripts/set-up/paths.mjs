/** Paths of the clone, the data folder and the cache of fetched programs. */
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidSettingsError } from './errors.mjs';

/** The absolute path of this clone. */
export const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/**
 * Creates `DATA_DIR` (default `.data` in the clone), readable by this user only, and returns its real absolute path.
 * Throws `InvalidSettingsError` if it is not a writable folder.
 */
export function dataDirOf(env) {
  const folder = path.resolve(root, env.DATA_DIR || '.data');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new InvalidSettingsError(
      `DATA_DIR must be a folder that this user may write to; found ${folder} (${error.code}).`,
    );
  }
  return realpathSync(folder);
}

/** Returns an id of a folder on this machine; all paths that lead to the folder give the same id. */
export function fingerprint(folder) {
  const { dev, ino } = statSync(folder);
  return createHash('sha256')
    .update(`${realpathSync(folder)} ${dev} ${ino}`)
    .digest('hex')
    .slice(0, 24);
}

/** Whether this user may write to the folder. Creates the folder if it is missing. */
export function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the user's home folder, even if `HOME` is unset; undefined if there is none. */
export function homeFolder() {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Returns the folder for fetched programs: one per user, so that other clones and `npm test` reuse them. */
export function cacheDir(env, dataDir) {
  const perUser = env.XDG_CACHE_HOME || (homeFolder() && path.join(homeFolder(), '.cache'));
  const shared = perUser && path.join(perUser, 'support-chat');
  if (shared && isWritable(shared)) return shared;
  const fallback = path.join(dataDir, 'cache');
  mkdirSync(fallback, { recursive: true });
  return fallback;
}

/** Returns the absolute path of a program on `PATH`; undefined if there is none. */
export const findOnPath = (name, env = process.env) =>
  (env.PATH ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
