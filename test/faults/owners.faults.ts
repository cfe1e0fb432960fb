import { contend, leaveAtOnce } from '../support/owner-trials.ts';

const PAIRS = 200;
const OWNERS = 20;

describe('Owners who take their power at the same time', () => {
  it(`leave one in each of ${PAIRS} pairs of demotion, disabling and removal`, () => contend(PAIRS)).timeout(300_000);

  it(`leave one of ${OWNERS}`, () => leaveAtOnce(OWNERS)).timeout(60_000);
});
