import { aKillableWorker, type KillableWorker } from '../support/killable-worker.ts';
import { deliverToManyReceivers, deliverWhileWorkerIsKilled } from '../support/webhook-trials.ts';

describe('Webhooks under faults (long run)', function underFaults() {
  this.timeout(900_000);
  let system: KillableWorker;

  before(async () => {
    system = await aKillableWorker();
  });
  after(() => system.close());

  it('20 receivers that hang and 20 that return 500 do not delay the other 160 receivers of their project', () =>
    deliverToManyReceivers({ healthy: 160, hanging: 20, failing: 20, messages: 5 }));

  it('every event reaches its receiver at least once, with the same id in every attempt, and in order, even if the worker is killed ten times', () =>
    deliverWhileWorkerIsKilled(system, { conversations: 10, messages: 40, kills: 10 }));
});
