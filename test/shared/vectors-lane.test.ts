import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { lanesIn } from '#shared/vectors/lane.ts';

const LANE = join(import.meta.dirname, '../../shared/vectors/lane.ts');

describe('a lane', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lanes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A process that takes the lane, says so, and keeps it. */
  async function holder() {
    const script = `
      const { lanesIn } = await import(${JSON.stringify(LANE)});
      setInterval(() => {}, 1000);
      // Work that nothing could end would be collected, and its lock with it.
      const endless = new Promise((end) => { globalThis.end = end; });
      await lanesIn(${JSON.stringify(folder)})('a', async () => { console.log('held'); await endless; });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  }

  it('runs one work at a time, in order, also over two users of one folder', async () => {
    const [mine, theirs] = [lanesIn(folder), lanesIn(folder)];
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
    expect(order).to.have.length(6);
  });

  it('goes on after work that failed, and gives the error to its caller', async () => {
    const inLane = lanesIn(folder);
    const failing = inLane('a', () => Promise.reject(new Error('boom')));
    const next = inLane('a', async () => 'done');
    expect(await failing.catch((error) => error.message)).to.equal('boom');
    expect(await next).to.equal('done');
  });

  it('is free again when the process that held it was killed, and not before', async function () {
    this.timeout(10_000);
    const child = await holder();
    let alive = true;
    const waiting = lanesIn(folder)('a', async () => alive);
    const other = await lanesIn(folder)('another lane', async () => 'not held up');
    expect(other).to.equal('not held up');
    alive = false;
    child.kill('SIGKILL');
    expect(await waiting).to.equal(false);
  });
});
