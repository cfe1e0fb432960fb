/**
 * Measures what one message costs, in bytes in MongoDB and in processor time of each process, and how much memory a
 * waiting job takes in Redis. docs/scale-out.md computes the size of an installation from these figures.
 */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Queue } from 'bullmq';
import mongoose from 'mongoose';
import { QUEUE_NAMES } from '#shared/jobs.ts';
import { waitForRelay } from '../support/changes-log.ts';
import { aFleet, type Fleet } from '../support/fleet.ts';
import { times } from '../support/fleet-fixture.ts';
import { aLoadClient } from '../support/load-clients.ts';

const WARM_UP_MS = 5000;
const LOAD_MS = Number(process.env.UNIT_COST_MS ?? 40_000);
const JOBS = 5000;
/** The times in /proc are counted in ticks; every Linux system has this number of ticks per second. */
const TICKS_PER_SECOND = 100;
const COLLECTIONS = ['messages', 'requests', 'changes', 'outbox', 'activities', 'request_counters'];

/** The processor time that a process has used so far, in milliseconds. */
const cpuMs = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
};

const mongodbPid = async (): Promise<number> => {
  const status = await mongoose.connection.db?.admin().command({ serverStatus: 1 });
  return Number(status?.pid);
};

const redisFigure = async ({ redis }: Fleet, name: string): Promise<number> =>
  Number(new RegExp(`${name}:(\\d+)`).exec(await redis.info())?.[1]);

/**
 * The number of documents, and per document its bytes, its bytes on disk (test databases are not compressed) and the
 * bytes of its index entries.
 */
const sizesOf = async (name: string) => {
  const stats = await mongoose.connection.db?.command({ collStats: name }).catch(() => undefined);
  const count = Number(stats?.count ?? 0);
  const each = (bytes: unknown) => Math.round(Number(bytes ?? 0) / Math.max(1, count));
  return { count, bytes: each(stats?.size), stored: each(stats?.storageSize), indexes: each(stats?.totalIndexSize) };
};

/** The bytes that a waiting job takes in Redis. */
const bytesPerJob = async (fleet: Fleet): Promise<number> => {
  const queue = new Queue('sizes', { connection: fleet.redis, prefix: '{sizes}' });
  const data = { payload: { id_project: 'a'.repeat(24), slot: 0 }, correlationId: 'b'.repeat(26) };
  await queue.waitUntilReady();
  const before = await redisFigure(fleet, 'used_memory');
  await queue.addBulk(times(JOBS, () => ({ name: 'kb.index-contents', data, opts: { attempts: 5 } })));
  const after = await redisFigure(fleet, 'used_memory');
  await queue.close();
  return (after - before) / JOBS;
};

describe('Unit costs', function measure() {
  this.timeout(600_000);

  it('prints the costs of a message and of a waiting job', async () => {
    const fleet = await aFleet();
    const [api, worker] = [await fleet.api(), await fleet.worker('--queues', QUEUE_NAMES.join())];
    const relay = await fleet.worker('--queues', 'relay');
    const client = await aLoadClient(async () => api.url);
    await client.sendAtFullSpeed(WARM_UP_MS);
    await waitForRelay(60);
    const pids = {
      ...{ api: api.pid, worker: worker.pid, relay: relay.pid },
      ...{ mongodb: await mongodbPid(), redis: await redisFigure(fleet, 'process_id') },
    };
    const read = async () =>
      Object.fromEntries(await Promise.all(Object.entries(pids).map(async ([n, p]) => [n, await cpuMs(p)] as const)));
    const [before, sent] = [await read(), client.acknowledged.length];
    const rate = await client.sendAtFullSpeed(LOAD_MS);
    await waitForRelay(120);
    const after = await read();
    const count = client.acknowledged.length - sent;
    const cpu = Object.fromEntries(
      Object.keys(pids).map((name) => [name, Number((((after[name] ?? 0) - (before[name] ?? 0)) / count).toFixed(2))]),
    );
    await mongoose.connection.db?.admin().command({ fsync: 1 });
    const sizes = Object.fromEntries(
      await Promise.all(COLLECTIONS.map(async (name) => [name, await sizesOf(name)] as const)),
    );
    console.log(`      ${Math.round(rate)} messages/s; CPU ms per message ${JSON.stringify(cpu)}`);
    console.log(`      ${JSON.stringify(sizes)}`);
    console.log(`      ${Math.round(await bytesPerJob(fleet))} bytes of Redis per waiting job`);
    expect(count).to.be.greaterThan(0);
    await client.close();
    await fleet.close();
  });
});
