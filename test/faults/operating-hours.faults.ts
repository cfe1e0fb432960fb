import { expectHoursMatch, ZONES } from '../support/operating-hours-trials.ts';

const CASES_PER_ZONE = Number(process.env.HOURS_CASES ?? 10_000);

describe('Operating hours in many time zones', function () {
  this.timeout(600_000);

  for (const zone of ZONES)
    it(`operating hours in ${zone} agree with the tz database in ${CASES_PER_ZONE} cases`, () =>
      expectHoursMatch(zone, CASES_PER_ZONE));
});
