import { aFleet, type Fleet } from '../support/fleet.ts';
import { underRemoval } from '../support/removal-trials.ts';

const TRIALS = 5;

describe('The removal of a project by workers that are killed, at length', function () {
  this.timeout(1_800_000);
  let fleet: Fleet;

  before(async () => {
    fleet = await aFleet();
  });
  after(() => fleet.close());

  it(`leaves nothing of it, and takes nothing of any other, in ${TRIALS} trials of 4 kills`, async () => {
    let caught = 0;
    // More in each collection than is removed in one turn, so that kills find some half empty.
    for (let trial = 0; trial < TRIALS; trial += 1) caught += await underRemoval(fleet, { kills: 4, each: 3000 });
    console.log(`      ${caught} kills while records were being removed`);
  });
});
