import { expect } from 'chai';
import { LOSSES, late, type TwoApis, twoApis } from '../support/access-trials.ts';

const TIMES = Number(process.env.FAULT_TIMES ?? 20);
const AT_ONCE = 10;

describe('Access that is lost through another process, at length', function () {
  this.timeout(1_200_000);
  let apis: TwoApis;

  before(async () => {
    apis = await twoApis();
  });
  after(() => apis.close());

  for (const [name, loss] of Object.entries(LOSSES)) {
    const times = name === 'a revoked token' ? TIMES * 5 : TIMES;
    it(`lets nobody in after a second: ${name}, ${times} of ${times} (A6)`, async () => {
      let latest = Number.NEGATIVE_INFINITY;
      for (let done = 0; done < times; done += AT_ONCE) {
        const trial = await late(apis, loss, Math.min(AT_ONCE, times - done));
        expect(trial.late).to.equal(0);
        latest = Math.max(latest, trial.latest);
      }
      console.log(`      the last one let in was sent ${latest.toFixed(0)} ms after the loss was answered`);
    });
  }
});
