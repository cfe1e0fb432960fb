import { aDataFolder, aSystemOn, failOverUnderLoad, type System } from '../support/failover-trials.ts';
import { aRedisCluster } from '../support/redis-cluster.ts';
import { aReplicaSet, type ReplicaSet } from '../support/replica-set.ts';

const PLAN = { times: 1, share: 0.1, measureMs: 150, sockets: 1 };

describe('Failover', function underLoad() {
  let data: Awaited<ReturnType<typeof aDataFolder>>;
  let cluster: Awaited<ReturnType<typeof aRedisCluster>>;
  let set: ReplicaSet;
  let system: System;

  before(async () => {
    data = await aDataFolder();
    [cluster, set] = await Promise.all([aRedisCluster(data.folder), aReplicaSet(data.folder)]);
    system = await aSystemOn({ mongodbUri: set.url, redisUrl: cluster.url }, { apis: 1, workers: 1 });
  });
  after(async () => {
    await system.close();
    await Promise.all([set.close(), cluster.close()]);
    await data.remove();
  });

  it('no message is lost, doubled or out of order when the primary of MongoDB steps down', async () =>
    console.log(`      ${await failOverUnderLoad(system, set.stepDown, PLAN)}`));

  it('no message is lost, doubled or out of order when a master of a Redis Cluster is killed', async () =>
    console.log(`      ${await failOverUnderLoad(system, cluster.killMaster, PLAN)}`));
});
