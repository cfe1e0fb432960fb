import { deliverToManyReceivers, deliverWhileWorkerIsKilled } from '../support/webhook-trials.ts';

describe('Webhooks under faults', function underFaults() {
  this.timeout(180_000);

  it('receivers that hang or answer 500 do not delay other receivers of their project, and get few attempts', () =>
    deliverToManyReceivers({ healthy: 12, hanging: 3, failing: 3, messages: 4 }));

  it('every event reaches its receiver at least once, with one id and in order, even if the worker is killed', () =>
    deliverWhileWorkerIsKilled({ conversations: 3, messages: 12, kills: 1 }));
});
