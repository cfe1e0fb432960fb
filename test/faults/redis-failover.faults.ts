import { aDataFolder, aSystemOn, LONG_LEASES, type System } from '../support/failover-trials.ts';
import { aRedisCluster } from '../support/redis-cluster.ts';
import {
  expectBoardWorks,
  expectCommandLineWorks,
  expectSharedLimit,
  LIMIT_SETTINGS,
  replaceMastersUnderLoad,
} from '../support/redis-failover-trials.ts';
import { redisBehindSentinels } from '../support/redis-sentinels.ts';

const TIMES = Number(process.env.FAULT_TIMES ?? 20);
const PLAN = { times: TIMES, share: 0.6, measureMs: 5000, sockets: 2, maxGapMs: 300 };

/** How each kind of Redis is started. */
const KINDS = { 'a Redis Cluster': aRedisCluster, 'Redis behind Sentinels': redisBehindSentinels };

for (const [name, start] of Object.entries(KINDS))
  describe(`Failover of ${name}`, function underLoad() {
    this.timeout(TIMES * 120_000 + 900_000);
    let data: Awaited<ReturnType<typeof aDataFolder>>;
    let redis: Awaited<ReturnType<typeof start>>;
    let system: System;

    before(async () => {
      data = await aDataFolder();
      redis = await start(data.folder);
      const settings = { ...LIMIT_SETTINGS, ...LONG_LEASES };
      system = await aSystemOn({ redisUrl: redis.url }, { apis: 2, workers: 2, settings });
    });
    after(async () => {
      await system?.close();
      await redis?.close();
      await data.remove();
    });

    it(`every job takes effect exactly once when a master is killed ${TIMES} times`, async () => {
      console.log(`      ${await replaceMastersUnderLoad(system, redis.killMaster, PLAN)}`);
    });

    it('limits apply to all processes together, and the queue board and the command line show the queues', async () => {
      await expectBoardWorks(system);
      await expectCommandLineWorks(system);
      await expectSharedLimit(system);
    });
  });
