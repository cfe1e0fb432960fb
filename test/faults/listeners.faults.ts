/** F3 is a failure described in docs/failures.md. */
import { aKillableWorker, type KillableWorker } from '../support/killable-worker.ts';
import { renameUnderRedisFlushes, renameUnderWorkerKills, withSecondWorker } from '../support/listener-trials.ts';

const TRIAL_COUNT = Number(process.env.FAULT_TIMES ?? 50);

describe('Event listeners in several processes', function () {
  this.timeout(1_800_000);
  let system: KillableWorker;
  let listeners: Awaited<ReturnType<typeof withSecondWorker>>;

  before(async () => {
    system = await aKillableWorker();
    listeners = await withSecondWorker(system, { maxGapMs: 150 });
  });
  after(() => system.close());

  it(`F3: each event takes effect exactly once even if Redis loses all data ${TRIAL_COUNT} times`, async () => {
    console.log(`      ${await renameUnderRedisFlushes(listeners, TRIAL_COUNT)} events`);
  });

  it(`each event takes effect exactly once even if ${TRIAL_COUNT} workers are killed at random moments`, async () => {
    console.log(`      ${await renameUnderWorkerKills(listeners, TRIAL_COUNT)} events`);
  });
});
