/** Locks between the processes on one host. */
import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { runExclusive } from '../concurrency/keyed-mutex.ts';
import { backoffMs } from '../time/backoff.ts';

const LOCK_FILE_COUNT = 64;
const SQLITE_BUSY = 5;

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;

/** Takes the lock if it is free; returns undefined otherwise. SQLite's own waiting would block the event loop. */
function tryLock(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

async function waitForLock(file: string): Promise<DatabaseSync> {
  for (let attempt = 1; ; attempt += 1) {
    const lock = tryLock(file);
    if (lock) return lock;
    await sleep(backoffMs(attempt, { baseMs: 2, maxMs: 50 }));
  }
}

/**
 * Returns a function that runs work under a named lock, one call at a time across all processes on this host. The lock
 * is an exclusive transaction on an empty SQLite file, so that the kernel releases it even if the process is killed.
 * Names are hashed to a fixed number of lock files. Not reentrant.
 */
export function fileLocks(folder: string) {
  const runLocked = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
    await mkdir(folder, { recursive: true });
    const lock = await waitForLock(file);
    try {
      return await work();
    } finally {
      lock.close();
    }
  };

  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const fileNumber = Number.parseInt(hash('sha1', name).slice(0, 8), 16) % LOCK_FILE_COUNT;
    const file = join(folder, `${fileNumber}.lock`);
    return runExclusive(`file lock ${file}`, () => runLocked(file, work));
  };
}

/** Runs work while holding the lock of the given name. */
export type WithFileLock = ReturnType<typeof fileLocks>;
