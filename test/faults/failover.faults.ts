import { join } from 'node:path';
import { aDedicatedRedis } from '../support/dedicated-redis.ts';
import { aDataFolder, aSystemOn, failOverUnderLoad, LONG_LEASES, type System } from '../support/failover-trials.ts';
import { aReplicaSet, type ReplicaSet } from '../support/replica-set.ts';

const TIMES = Number(process.env.FAULT_TIMES ?? 30);
const PLAN = { times: TIMES, share: 0.6, measureMs: 5000, sockets: 2 };

describe('Failover of MongoDB', function underLoad() {
  this.timeout(TIMES * 120_000 + 900_000);
  let data: Awaited<ReturnType<typeof aDataFolder>>;
  let redis: Awaited<ReturnType<typeof aDedicatedRedis>>;
  let set: ReplicaSet;
  let system: System;

  before(async () => {
    data = await aDataFolder();
    redis = await aDedicatedRedis(join(data.folder, 'redis'));
    set = await aReplicaSet(data.folder);
    system = await aSystemOn(
      { mongodbUri: set.url, redisUrl: redis.url },
      { apis: 2, workers: 2, settings: LONG_LEASES },
    );
  });
  after(async () => {
    await system?.close();
    await set?.close();
    await redis?.close();
    await data.remove();
  });

  it(`no message is lost, duplicated or out of order when the primary is killed or steps down ${TIMES} times`, async () => {
    const disturb = (index: number) => (index % 2 ? set.stepDown() : set.killPrimary());
    console.log(`      ${await failOverUnderLoad(system, disturb, PLAN)}`);
  });
});
