import { expect } from 'chai';
import { aFleet, type Fleet } from '../support/fleet.ts';
import { removeProjectUnderKills } from '../support/project-removal-trials.ts';

describe('Project removal while workers are killed', () => {
  let fleet: Fleet;

  before(async () => {
    fleet = await aFleet();
  });
  after(() => fleet.close());

  it('the removal of a project deletes all its records and none of another project when a worker is killed', async () => {
    expect(await removeProjectUnderKills(fleet, { kills: 1, each: 20 })).to.equal(1);
  });
});
