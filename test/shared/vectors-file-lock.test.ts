import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileLocks } from '#shared/vectors/file-lock.ts';

const LOCK_MODULE = join(import.meta.dirname, '../../shared/vectors/file-lock.ts');

describe('File lock', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lanes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A process that takes the lock, prints `held` and keeps the lock. */
  async function holder() {
    const script = `
      const { fileLocks } = await import(${JSON.stringify(LOCK_MODULE)});
      setInterval(() => {}, 1000);
      // A promise without a reachable resolver would be garbage-collected, and the lock with it.
      const endless = new Promise((end) => { globalThis.end = end; });
      await fileLocks(${JSON.stringify(folder)})('a', async () => { console.log('held'); await endless; });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  }

  it('file locks with the same name run one task at a time, and the tasks of each caller in order', async () => {
    const [mine, theirs] = [fileLocks(folder), fileLocks(folder)];
    let running = 0;
    const order: number[] = [];
    const work = (number: number) => async () => {
      running += 1;
      expect(running).to.equal(1);
      await new Promise(setImmediate);
      order.push(number);
      running -= 1;
    };
    const their = Promise.all([10, 11, 12].map((number) => theirs('a', work(number))));
    await Promise.all([1, 2, 3].map((number) => mine('a', work(number))));
    await their;
    expect(order.filter((number) => number < 10)).to.deep.equal([1, 2, 3]);
    expect(order.filter((number) => number >= 10)).to.deep.equal([10, 11, 12]);
  });

  it('a file lock is released after a failed task, and the caller receives the error', async () => {
    const withLock = fileLocks(folder);
    const failing = withLock('a', () => Promise.reject(new Error('boom')));
    const next = withLock('a', async () => 'done');
    expect(await failing.catch((error) => error.message)).to.equal('boom');
    expect(await next).to.equal('done');
  });

  it('a file lock is held until its process is killed, and then released', async () => {
    const child = await holder();
    let alive = true;
    const waiting = fileLocks(folder)('a', async () => alive);
    const other = await fileLocks(folder)('another lock', async () => 'not delayed');
    expect(other).to.equal('not delayed');
    alive = false;
    child.kill('SIGKILL');
    expect(await waiting).to.equal(false);
  });
});
