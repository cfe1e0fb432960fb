import { aWebhookFleet, deliverToManyReceivers, deliverWhileWorkerIsKilled } from '../support/webhook-trials.ts';

describe('Webhooks under faults', function underFaults() {
  this.timeout(180_000);
  let fleet: Awaited<ReturnType<typeof aWebhookFleet>>;

  before(async () => {
    fleet = await aWebhookFleet();
  });
  after(() => fleet.close());

  it('receivers that hang or answer 500 do not delay other receivers of their project, and get few attempts', () =>
    deliverToManyReceivers({ healthy: 6, hanging: 2, failing: 2, messages: 3 }));

  it('every event reaches its receiver at least once, with one id and in order, even if the worker is killed', () =>
    deliverWhileWorkerIsKilled(fleet, { conversations: 3, messages: 8, kills: 1 }));
});
