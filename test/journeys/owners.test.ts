import { contend, leaveAtOnce } from '../support/owner-trials.ts';

const PAIRS = 20;
const OWNERS = 5;

describe('Owners who take their power at the same time', () => {
  it(`leave one in each of ${PAIRS} pairs of demotion, disabling and removal`, () => contend(PAIRS));

  it(`leave one of ${OWNERS}`, () => leaveAtOnce(OWNERS));
});
