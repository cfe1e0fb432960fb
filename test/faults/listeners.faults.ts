import { aListenerFleet, renameUnderRedisFlushes, renameUnderWorkerKills } from '../support/listener-trials.ts';

const TRIAL_COUNT = Number(process.env.FAULT_TIMES ?? 50);

describe('Event listeners in several processes', function () {
  this.timeout(1_800_000);
  let fixture: Awaited<ReturnType<typeof aListenerFleet>>;

  before(async () => {
    fixture = await aListenerFleet({ maxGapMs: 150 });
  });
  after(() => fixture.close());

  it(`each event takes effect once even if Redis loses all data ${TRIAL_COUNT} times`, async () => {
    console.log(`      ${await renameUnderRedisFlushes(fixture, TRIAL_COUNT)} events`);
  });

  it(`each event takes effect once even if ${TRIAL_COUNT} workers are killed at random moments`, async () => {
    console.log(`      ${await renameUnderWorkerKills(fixture, TRIAL_COUNT)} events`);
  });
});
