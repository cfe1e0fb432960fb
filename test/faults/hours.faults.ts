import { expectAsPainted, ZONES } from '../support/hours-trial.ts';

const CASES = Number(process.env.HOURS_CASES ?? 10_000);

describe('Operating hours, at length', function () {
  this.timeout(600_000);

  for (const zone of ZONES)
    it(`are those of the tz database in ${zone}, in ${CASES} cases`, () => expectAsPainted(zone, CASES));
});
