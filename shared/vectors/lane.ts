import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { hash } from 'node:crypto';

const LANES = 64;
const SQLITE_BUSY = 5;

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;

/** Takes the lock if it is free; SQLite's own waiting would block the event loop. */
function take(file: string): DatabaseSync | undefined {
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

async function lockOf(file: string): Promise<DatabaseSync> {
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const lock = take(file);
    if (lock) return lock;
    await sleep(pause * (0.5 + Math.random()));
  }
}

/**
 * Runs work of one lane one after the other, over all processes of this host. The lock is the kernel's (an empty SQLite
 * file's), so it goes with the process that held it, however that ended. Names share a fixed number of lanes. Not reentrant.
 */
export function lanesIn(folder: string) {
  const tails = new Map<string, Promise<unknown>>();

  const locked = async <T>(file: string, work: () => Promise<T>): Promise<T> => {
    await mkdir(folder, { recursive: true });
    const lock = await lockOf(file);
    try {
      return await work();
    } finally {
      lock.close();
    }
  };

  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const number = Number.parseInt(hash('sha1', name).slice(0, 8), 16) % LANES;
    const file = join(folder, `${number}.lock`);
    const before = tails.get(file) ?? Promise.resolve();
    const mine = before.then(() => locked(file, work));
    const tail = mine.catch(() => {}); // the caller has the error; the next in the lane does not care
    tails.set(file, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(file) === tail) tails.delete(file);
    }
  };
}

/** Runs work in the lane of that name. */
export type InLane = ReturnType<typeof lanesIn>;
