import { listeningFleet, underFlushes, underWorkerKills } from '../support/listener-trials.ts';

const TIMES = Number(process.env.FAULT_TIMES ?? 50);

describe('Jobs on events in several processes, at length', function () {
  this.timeout(1_800_000);
  let stage: Awaited<ReturnType<typeof listeningFleet>>;

  before(async () => {
    stage = await listeningFleet();
  });
  after(() => stage.close());

  it(`have each event's effect once though Redis forgets everything ${TIMES} times (F3)`, async () => {
    console.log(`      ${await underFlushes(stage, TIMES)} events`);
  });

  it(`have it once though ${TIMES} workers are killed at random moments (F1)`, async () => {
    console.log(`      ${await underWorkerKills(stage, TIMES)} events`);
  });
});
