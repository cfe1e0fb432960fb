/** Opens, creates and removes LanceDB tables. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session, Table } from '@lancedb/lancedb';
import { ulid } from 'ulid';
import { shareCalls } from '../concurrency/share-calls.ts';
import { backoffMs } from '../time/backoff.ts';
import { IndexMissingError } from './chunk-index.ts';
import type { WithFileLock } from './file-lock.ts';
import { folderIdentity, listFolder, renameIfPresent } from './lance-folders.ts';
import { ensureTextIndex, probeTable } from './lance-maintenance.ts';
import { createSession, loadLibraries, type TableLocation, tableSchema } from './lance-table-location.ts';

const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 20;

interface OpenTable {
  table: Table;
  identity: string;
  users: number;
  isEvicted: boolean;
}

/**
 * How to treat a missing table: as not existing yet (`absent`), as a table to create (`create`), or as a table that
 * existed before and is lost (`lost`).
 */
type MissingTablePolicy = 'absent' | 'create' | 'lost';

/**
 * Calls to each of these functions for one table in the same tick share one execution, because the searches for the
 * words of a question all begin in the same tick.
 */
const currentIdentity = shareCalls(folderIdentity);
const checkoutLatest = shareCalls(async (table: Table): Promise<number> => {
  await table.checkoutLatest();
  return table.version();
});

/**
 * A pool of open tables that closes the least recently used ones. Before each use, it checks that the folder has not
 * been deleted or replaced, because LanceDB itself would acknowledge a write into a deleted folder.
 */
export class LanceTables {
  readonly root: string;
  readonly withLock: WithFileLock;
  #open = new Map<string, Promise<OpenTable>>();
  #maxOpen: number;
  #cacheMib: number;
  #session: Session | undefined;

  constructor(root: string, withLock: WithFileLock, { maxOpen, cacheMib }: { maxOpen: number; cacheMib: number }) {
    this.root = root;
    this.withLock = withLock;
    this.#maxOpen = maxOpen;
    this.#cacheMib = cacheMib;
  }

  /**
   * Runs `work` on the latest version of a table, and passes it the number of that version. After an error, runs it
   * again, with at most four attempts in all. Returns undefined if the table is missing and `createIfMissing` is false.
   * Throws `IndexMissingError` if the table is lost or unreadable.
   */
  async withTable<T>(
    location: TableLocation,
    work: (table: Table, version: number) => Promise<T>,
    createIfMissing = false,
  ): Promise<T | undefined> {
    const missing = this.#open.has(location.path) ? 'lost' : createIfMissing ? 'create' : 'absent';
    for (let attempt = 1; ; attempt += 1) {
      try {
        const open = await this.#openTable(location, missing);
        return open && (await this.#runOnLatest(location.path, open, work));
      } catch (error) {
        this.#closeTable(location.path);
        if (error instanceof IndexMissingError) throw error;
        if (attempt >= MAX_ATTEMPTS) throw await this.#diagnose(location, error);
        await sleep(backoffMs(attempt, { baseMs: FIRST_WAIT_MS }));
      }
    }
  }

  /** Runs `work` while holding the table's lock, which excludes other holders in this and other processes. */
  async withTableLocked<T>(location: TableLocation, work: (table: Table) => Promise<T>): Promise<T | undefined> {
    return this.withTable(location, (table) =>
      this.withLock(location.path, async () => {
        await table.checkoutLatest();
        return work(table);
      }),
    );
  }

  /** Removes tables. They are renamed first, so that no reader sees a partially removed table. */
  async destroy(locations: TableLocation[]): Promise<void> {
    const trash = await this.#makeTrashFolder();
    for (const location of locations) await this.withLock(location.path, () => this.#moveToTrash(location, trash));
    await rm(trash, { recursive: true, force: true, maxRetries: 3 });
  }

  /**
   * Removes all entries of the root folder whose names do not begin with a dot, after renaming them. Creates the folder
   * if it is missing.
   */
  async clear(): Promise<void> {
    this.close();
    const names = (await listFolder(this.root)).filter((name) => !name.startsWith('.'));
    const trash = await this.#makeTrashFolder();
    for (const name of names) await renameIfPresent(join(this.root, name), join(trash, name));
    await rm(trash, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Closes the open tables whose path starts with `prefix`; all by default. */
  close(prefix = ''): void {
    for (const path of [...this.#open.keys()]) if (path.startsWith(prefix)) this.#closeTable(path);
  }

  async #runOnLatest<T>(
    path: string,
    open: OpenTable,
    work: (table: Table, version: number) => Promise<T>,
  ): Promise<T> {
    open.users += 1;
    try {
      return await work(open.table, await checkoutLatest(open.table));
    } finally {
      open.users -= 1;
      if (open.isEvicted && open.users === 0) open.table.close();
      else this.#evict(path);
    }
  }

  async #openTable(location: TableLocation, missing: MissingTablePolicy): Promise<OpenTable | undefined> {
    const opened = this.#open.get(location.path);
    const [identity, open] = await Promise.all([currentIdentity(location.path), opened]);
    if (identity === undefined && (open || missing === 'lost')) throw new IndexMissingError(location);
    if (identity === undefined && missing === 'absent') return undefined;
    if (open && open.identity !== identity && this.#open.get(location.path) === opened) this.#closeTable(location.path);
    const opening = this.#open.get(location.path) ?? this.#openNow(location, missing);
    this.#open.delete(location.path);
    this.#open.set(location.path, opening);
    return opening;
  }

  async #openNow(location: TableLocation, missing: MissingTablePolicy): Promise<OpenTable> {
    if (missing === 'create') await this.#create(location);
    const identity = await folderIdentity(location.path);
    if (identity === undefined) throw new IndexMissingError(location);
    const connection = await this.#connect(location.folder);
    const table = await connection.openTable(location.table);
    if (location.dimension === null) await ensureTextIndex(table, (work) => this.withLock(location.path, work));
    return { table, identity, users: 0, isEvicted: false };
  }

  async #create(location: TableLocation): Promise<void> {
    if (await this.#isComplete(location)) return;
    const { arrow } = await loadLibraries();
    await this.withLock(location.path, async () => {
      if (await this.#isComplete(location)) return;
      await rm(location.path, { recursive: true, force: true });
      const connection = await this.#connect(location.folder);
      (await connection.createEmptyTable(location.table, tableSchema(arrow, location))).close();
    });
  }

  /**
   * Whether a table's creation was completed. A process that is killed while it creates a table leaves a folder without
   * a version, in which no write was acknowledged.
   */
  async #isComplete(location: TableLocation): Promise<boolean> {
    return (await listFolder(join(location.path, '_versions'))).length > 0;
  }

  async #connect(folder: string) {
    const { lance } = await loadLibraries();
    this.#session ??= createSession(lance, this.#cacheMib);
    return lance.connect(folder, { session: this.#session });
  }

  /**
   * Returns the error to throw: `IndexMissingError` if a fresh handle cannot read the table either, otherwise `error`.
   */
  async #diagnose(location: TableLocation, error: unknown): Promise<unknown> {
    const trash = await this.#makeTrashFolder();
    // Probe while holding the lock, because a table that another process is creating would look broken.
    const diagnosedError = await this.withLock(location.path, async () => {
      try {
        await this.#probe(location);
        return error;
      } catch (cause) {
        await this.#moveToTrash(location, trash);
        return new IndexMissingError(location, { cause });
      }
    });
    await rm(trash, { recursive: true, force: true, maxRetries: 3 });
    return diagnosedError;
  }

  async #probe(location: TableLocation): Promise<void> {
    const connection = await this.#connect(location.folder);
    const table = await connection.openTable(location.table);
    try {
      await probeTable(table, location);
    } finally {
      table.close();
    }
  }

  async #makeTrashFolder(): Promise<string> {
    const trash = join(this.root, `.dropped-${ulid()}`);
    await mkdir(trash, { recursive: true });
    return trash;
  }

  async #moveToTrash(location: TableLocation, trash: string): Promise<void> {
    this.#closeTable(location.path);
    if (await folderIdentity(location.path)) await rename(location.path, join(trash, location.table));
  }

  #evict(path: string): void {
    const oldest = this.#open.keys().next().value;
    if (this.#open.size > this.#maxOpen && oldest !== undefined && oldest !== path) this.#closeTable(oldest);
  }

  #closeTable(path: string): void {
    const opening = this.#open.get(path);
    this.#open.delete(path);
    opening?.then(
      (open) => {
        open.isEvicted = true;
        if (open.users === 0) open.table.close();
      },
      () => {}, // opening the table failed; all waiting callers receive the error
    );
  }
}
