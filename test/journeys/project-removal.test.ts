import { expect } from 'chai';
import { aFleet, type Fleet } from '../support/fleet.ts';
import { underRemoval } from '../support/removal-trials.ts';

describe('The removal of a project by workers that are killed', function () {
  this.timeout(120_000);
  let fleet: Fleet;

  before(async () => {
    fleet = await aFleet();
  });
  after(() => fleet.close());

  it('leaves nothing of it, and takes nothing of any other', async () => {
    expect(await underRemoval(fleet, { kills: 1, each: 200 })).to.equal(1);
  });
});
