import { aKillableWorker, type KillableWorker } from '../support/killable-worker.ts';
import { removeProjectUnderKills } from '../support/project-removal-trials.ts';

const TRIAL_COUNT = 5;

describe('Project removal while workers are killed', function () {
  this.timeout(1_800_000);
  let system: KillableWorker;

  before(async () => {
    system = await aKillableWorker();
  });
  after(() => system.close());

  it(`removing a project deletes all of its records and none of another project's, in ${TRIAL_COUNT} trials with 4 kills each`, async () => {
    let caught = 0;
    // More records per collection than one batch removes, so that some kills interrupt the removal of a collection.
    for (let trial = 0; trial < TRIAL_COUNT; trial += 1)
      caught += await removeProjectUnderKills(system, { kills: 4, perCollection: 3000 });
    console.log(`      ${caught} kills while records were being removed`);
  });
});
