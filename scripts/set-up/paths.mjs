/** Where things lie: the clone, the data folder, the cache of what was fetched. */
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RefusedError } from './errors.mjs';

/** The folder of this clone, absolute. */
export const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Make `DATA_DIR` (default `.data` in the clone) for this user alone and answer its real absolute path. */
export function dataDirOf(env) {
  const folder = path.resolve(root, env.DATA_DIR || '.data');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new RefusedError(`DATA_DIR must be a folder that this user may write to; found ${folder} (${error.code}).`);
  }
  return realpathSync(folder);
}

/** A text that is one folder's alone on this machine, however it is reached. */
export function fingerprint(folder) {
  const { dev, ino } = statSync(folder);
  return createHash('sha256')
    .update(`${realpathSync(folder)} ${dev} ${ino}`)
    .digest('hex')
    .slice(0, 24);
}

/** Whether this user may write into the folder, which is made if need be. */
export function writable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The user's home folder, even where `HOME` is unset; undefined when there is none. */
export function home() {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Where fetched programs are kept: one folder a user, so a second clone and `npm test` fetch nothing again. */
export function cacheDir(env, dataDir) {
  const perUser = env.XDG_CACHE_HOME || (home() && path.join(home(), '.cache'));
  const shared = perUser && path.join(perUser, 'support-chat');
  if (shared && writable(shared)) return shared;
  const own = path.join(dataDir, 'cache');
  mkdirSync(own, { recursive: true });
  return own;
}

/** The program of that name on `PATH`, absolute; undefined when there is none. */
export const onPath = (name, env = process.env) =>
  (env.PATH ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
