import { aListenerFleet, renameUnderRedisFlushes, renameUnderWorkerKills } from '../support/listener-trials.ts';

describe('Event listeners in several processes', () => {
  let fleet: Awaited<ReturnType<typeof aListenerFleet>>;

  before(async () => {
    fleet = await aListenerFleet({ maxGapMs: 800 });
  });
  after(() => fleet.close());

  it('each event has its effect once, and periodic jobs run again within 10 s, when Redis loses all data', async () => {
    await renameUnderRedisFlushes(fleet, 1);
  });

  it('each event has its effect once when workers are killed at random moments', async () => {
    await renameUnderWorkerKills(fleet, 1);
  });
});
