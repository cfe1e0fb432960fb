import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { runDatabase } from '../../scripts/set-up/database.mjs';
import { cacheDir } from '../../scripts/set-up/paths.mjs';
import { describeRedis, redis } from '../../scripts/set-up/redis.mjs';
import { waitUntil } from '../support/wait-until.ts';

const moduleUrl = (name: string) => new URL(`../../scripts/set-up/${name}.mjs`, import.meta.url).href;
const pidAt = async (uri: string) => (await describeRedis(Number(new URL(uri).port)))?.pid ?? 0;

/** Starts Redis from a process that then kills itself and leaves Redis running. Returns the address of Redis. */
async function startAndKill(setting: object): Promise<string> {
  const start = `
    import { runDatabase } from '${moduleUrl('database')}';
    import { redis } from '${moduleUrl('redis')}';
    const { uri } = await runDatabase(redis, ${JSON.stringify(setting)}, () => {});
    process.stdout.write(uri, () => process.kill(process.pid, 'SIGKILL'));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', start]);
  const [uri] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return uri;
}

describe('Redis started by the setup', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'set-up-'));
  const setting = { dataDir, cache: cacheDir(process.env, dataDir), anyPort: true };
  let uri: string;
  let stop: (() => Promise<void>) | undefined;

  before(async () => {
    uri = await startAndKill(setting);
  });
  after(async () => {
    await stop?.();
    rmSync(dataDir, { recursive: true });
  });

  it('the started Redis server writes an append-only file and evicts nothing', async () => {
    const client = new Redis(uri);
    expect(await client.config('GET', 'appendonly')).to.deep.equal(['appendonly', 'yes']);
    expect(await client.config('GET', 'maxmemory-policy')).to.deep.equal(['maxmemory-policy', 'noeviction']);
    client.disconnect();
  });

  it('a Redis server that a killed process has left running is reused', async () => {
    const pid = await pidAt(uri);
    const second = await runDatabase(redis, setting, () => {});
    ({ stop } = second);

    expect(second).to.include({ uri }).with.property('note').that.includes('already running');
    expect(await pidAt(uri)).to.equal(pid);
  });

  it('a killed Redis server is restarted on the same port', async () => {
    const pid = await pidAt(uri);
    process.kill(pid, 'SIGKILL');

    await waitUntil(async () => ![0, pid].includes(await pidAt(uri)));
  });

  it('stop() stops the started Redis server', async () => {
    await stop?.();
    expect(await pidAt(uri)).to.equal(0);
  });
});
