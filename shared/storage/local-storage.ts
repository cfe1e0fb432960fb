/**
 * Files in a folder of this host. Keys come from records, never from callers. Nevertheless, no path leaves the folder,
 * and symbolic links are not followed.
 */
import { hash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  opendir,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange, FileStorage, StoredObject } from './file-storage.ts';

/**
 * The folder of incomplete copies of files from another file system. No key names a file in it, because keys never
 * begin with a dot.
 */
const PARTIAL_FOLDER = '.partial';

/** Returns the prefix of the names of the incomplete copies of a key's file. */
const partialPrefix = (key: string): string => `${hash('sha256', key)}-`;

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? '');

/**
 * Error codes for a key that names no file: its path is absent, too long or below a file, or leads to a link or folder.
 */
const ABSENT_CODES = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EISDIR'];

const nullIfAbsent = <T>(pending: Promise<T>): Promise<T | null> =>
  pending.catch((error: unknown) => {
    if (hasCode(error, ...ABSENT_CODES)) return null;
    throw error;
  });

/** Waits until a file or folder has been written to the disk. */
const syncToDisk = async (path: string): Promise<void> => {
  await using handle = await open(path, 'r');
  await handle.sync();
};

/** Copies a file from another file system, first to `partial`, so that only the complete file appears under `to`. */
const copyWhole = async (from: string, to: string, partial: string): Promise<void> => {
  try {
    await mkdir(dirname(partial), { recursive: true });
    await copyFile(from, partial);
    await syncToDisk(partial);
    await rename(partial, to);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

/** Deletes the empty folders above a deleted file. */
const removeEmptyFolders = async (folder: string, root: string): Promise<void> => {
  for (let current = folder; current !== root; current = dirname(current)) {
    try {
      await rmdir(current);
    } catch (error) {
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return;
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
};

/** The storage in a folder, which is created with its first file. */
export class LocalStorage implements FileStorage {
  readonly name: string;
  readonly #partialFolder: string;

  constructor(folder: string) {
    this.name = resolve(folder);
    this.#partialFolder = join(this.name, PARTIAL_FOLDER);
  }

  async put(key: string, { path: from }: { path: string }): Promise<void> {
    const path = this.#pathOf(key);
    await mkdir(dirname(path), { recursive: true });
    if (!(await this.#isInside(dirname(path)))) throw new Error(`${key} is behind a symbolic link`);
    await syncToDisk(from);
    await rename(from, path).catch((error: unknown) => {
      if (!hasCode(error, 'EXDEV')) throw error;
      return copyWhole(from, path, join(this.#partialFolder, partialPrefix(key) + randomUUID()));
    });
    await syncToDisk(dirname(path));
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    const handle = await this.#openFile(key);
    return handle && handle.createReadStream({ autoClose: true, ...range });
  }

  async localPath(key: string): Promise<string | null> {
    return (await this.has(key)) ? this.#pathOf(key) : null;
  }

  async has(key: string): Promise<boolean> {
    const handle = await this.#openFile(key);
    await handle?.close();
    return handle !== null;
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await this.#deletePartials(key);
    if (!(await nullIfAbsent(this.#isInside(dirname(path))))) return;
    await rm(path, { force: true });
    await removeEmptyFolders(dirname(path), this.name);
  }

  list(prefix: string): AsyncIterable<StoredObject> {
    return this.#filesIn(this.#pathOf(prefix));
  }

  /** Deletes the incomplete copies of a key's file that a killed process left behind. */
  async #deletePartials(key: string): Promise<void> {
    const names = (await nullIfAbsent(readdir(this.#partialFolder))) ?? [];
    const ofKey = names.filter((name) => name.startsWith(partialPrefix(key)));
    for (const name of ofKey) await rm(join(this.#partialFolder, name), { force: true });
  }

  #pathOf(key: string): string {
    const path = resolve(this.name, key);
    const isValid = path.startsWith(this.name + sep) && !key.includes('\0');
    if (!isValid) throw new Error(`${JSON.stringify(key)} is not a valid key`);
    return path;
  }

  /** Whether the path of a folder contains no symbolic link below the root. */
  async #isInside(path: string): Promise<boolean> {
    return (await realpath(path)) === (await realpath(this.name)) + path.slice(this.name.length);
  }

  /** Opens a regular file without following links; null if there is none. */
  async #openFile(key: string): Promise<FileHandle | null> {
    const path = this.#pathOf(key);
    if (!(await nullIfAbsent(this.#isInside(dirname(path))))) return null;
    const handle = await nullIfAbsent(open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
    if (!handle || (await handle.stat()).isFile()) return handle;
    await handle.close();
    return null;
  }

  async *#filesIn(path: string): AsyncGenerator<StoredObject> {
    for await (const entry of (await nullIfAbsent(opendir(path))) ?? []) {
      const entryPath = join(path, entry.name);
      if (entry.isDirectory()) yield* this.#filesIn(entryPath);
      const found = entry.isFile() ? await nullIfAbsent(stat(entryPath)) : null;
      if (!found) continue;
      const key = entryPath.slice(this.name.length + 1).replaceAll(sep, '/');
      yield { key, size: found.size, modifiedAt: found.mtime };
    }
  }
}
