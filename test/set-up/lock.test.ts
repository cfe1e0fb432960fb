import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { holderOf, take } from '../../scripts/set-up/lock.mjs';
import { until } from '../support/until.ts';

const LOCK = new URL('../../scripts/set-up/lock.mjs', import.meta.url).href;

/** Another process that takes the lock, tells its address and stays. */
const holder = (name: string): ChildProcess =>
  spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { take } from '${LOCK}'; (await take('${name}')).tell({ url: 'http://first' }); setInterval(() => {}, 1000);`,
  ]);

describe('the lock of a data folder', () => {
  it('is one process’s at a time, which tells the next one where it runs', async () => {
    const name = randomUUID();
    const first = holder(name);
    await until(async () => (await holderOf(name))?.url === 'http://first');

    expect(await take(name)).to.equal(undefined);
    expect(await holderOf(name)).to.deep.equal({ pid: first.pid, url: 'http://first' });
    first.kill('SIGKILL');
  });

  it('is free as soon as its holder is killed', async () => {
    const name = randomUUID();
    const first = holder(name);
    await until(async () => (await holderOf(name)) !== undefined);

    first.kill('SIGKILL');
    await once(first, 'exit');

    const lock = await take(name);
    expect(lock).to.have.property('release');
    await lock?.release();
    expect(await holderOf(name)).to.equal(undefined);
  });
});
