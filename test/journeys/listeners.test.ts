import { listeningFleet, underFlushes, underWorkerKills } from '../support/listener-trials.ts';

describe('Jobs on events in several processes', function () {
  this.timeout(120_000);
  let stage: Awaited<ReturnType<typeof listeningFleet>>;

  before(async () => {
    stage = await listeningFleet();
  });
  after(() => stage.close());

  it("have each event's effect once though Redis forgets everything, and the clock ticks again within 10 s (F3)", async () => {
    await underFlushes(stage, 1);
  });

  it('have it once though workers are killed at random moments (F1)', async () => {
    await underWorkerKills(stage, 1);
  });
});
