import { Queue, Worker } from 'bullmq';
import { connectRedis } from '#shared/queue/redis.ts';
import { aDataFolder, aSystemOn, failOverUnderLoad, type System } from '../support/failover-trials.ts';
import { aRedisCluster } from '../support/redis-cluster.ts';
import {
  expectBoardWorks,
  expectSharedLimit,
  LIMIT_SETTINGS,
  replaceMastersUnderLoad,
} from '../support/redis-failover-trials.ts';
import { redisBehindSentinels } from '../support/redis-sentinels.ts';
import { aReplicaSet, type ReplicaSet } from '../support/replica-set.ts';
import { waitUntil } from '../support/wait-until.ts';

const PLAN = { times: 1, share: 0.1, measureMs: 150, sockets: 1 };

describe('Failover', function underLoad() {
  let data: Awaited<ReturnType<typeof aDataFolder>>;
  let cluster: Awaited<ReturnType<typeof aRedisCluster>>;
  let set: ReplicaSet;
  let system: System;

  before(async () => {
    data = await aDataFolder();
    [cluster, set] = await Promise.all([aRedisCluster(data.folder), aReplicaSet(data.folder)]);
    system = await aSystemOn(
      { mongodbUri: set.url, redisUrl: cluster.url },
      { apis: 1, workers: 1, settings: LIMIT_SETTINGS },
    );
  });
  after(async () => {
    await system?.close();
    await Promise.all([set?.close(), cluster?.close()]);
    await data.remove();
  });

  it('no message is lost, duplicated or out of order when the primary of MongoDB steps down', async () =>
    console.log(`      ${await failOverUnderLoad(system, set.stepDown, PLAN)}`));

  it('every job takes effect exactly once when a master of a Redis Cluster is killed', async () => {
    console.log(`      ${await replaceMastersUnderLoad(system, cluster.killMaster, { ...PLAN, maxGapMs: 3000 })}`);
    await expectBoardWorks(system);
    await expectSharedLimit(system);
  });
});

describe('Redis behind Sentinels', () => {
  it('a job that is added while no master is running is done by the worker that was connected to the killed master', async () => {
    const data = await aDataFolder();
    const redis = await redisBehindSentinels(data.folder);
    const blocking = connectRedis(redis.url, { maxRetriesPerRequest: null });
    const connection = connectRedis(redis.url, { maxRetriesPerRequest: null });
    for (const client of [blocking, connection]) client.on('error', () => undefined); // the test kills the master
    const queue = new Queue('sentinels', { connection });
    const done = new Set<number>();
    const worker = new Worker<number>('sentinels', async ({ data: number }) => void done.add(number), {
      connection: blocking,
    });
    worker.on('error', () => undefined);
    queue.on('error', () => undefined);
    const add = (number: number) => queue.add('count', number, { attempts: 3 });
    await add(1);
    await waitUntil(() => done.has(1));
    const { restore } = await redis.killMaster();
    const adding = add(2); // waits for the new master
    await restore();
    await adding;
    await waitUntil(() => done.has(2));
    await Promise.all([worker.close(true), queue.close()]);
    for (const client of [blocking, connection]) client.disconnect();
    await redis.close();
    await data.remove();
  });
});
