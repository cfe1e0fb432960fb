import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { lockHolder, takeLock } from '../../scripts/set-up/lock.mjs';
import { waitUntil } from '../support/wait-until.ts';

const LOCK_MODULE = new URL('../../scripts/set-up/lock.mjs', import.meta.url).href;

/** Starts a process that takes the lock, publishes an address and keeps running. */
const holder = (name: string): ChildProcess =>
  spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { takeLock } from '${LOCK_MODULE}'; (await takeLock('${name}')).publish({ url: 'http://first' }); setInterval(() => {}, 1000);`,
  ]);

describe('Data folder lock', () => {
  it('only one process at a time holds the lock, and other processes can read the address of the holder', async () => {
    const name = randomUUID();
    const first = holder(name);
    await waitUntil(async () => (await lockHolder(name))?.url === 'http://first');

    expect(await takeLock(name)).to.equal(undefined);
    expect(await lockHolder(name)).to.deep.equal({ pid: first.pid, url: 'http://first' });
    first.kill('SIGKILL');
  });

  it('the lock is free as soon as its holder is killed', async () => {
    const name = randomUUID();
    const first = holder(name);
    await waitUntil(async () => (await lockHolder(name)) !== undefined);

    first.kill('SIGKILL');
    await once(first, 'exit');

    const lock = await takeLock(name);
    expect(lock).to.have.property('release');
    await lock?.release();
    expect(await lockHolder(name)).to.equal(undefined);
  });
});
