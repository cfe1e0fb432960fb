import { expect } from 'chai';
import {
  REVOCATIONS,
  countLateAcceptances,
  type TwoApiProcesses,
  twoApiProcesses,
} from '../support/revocation-trials.ts';

const TRIALS_PER_REVOCATION = Number(process.env.FAULT_TIMES ?? 20);
const TRIALS_AT_ONCE = 10;

describe('Access revoked through another process', function () {
  this.timeout(1_200_000);
  let apis: TwoApiProcesses;

  before(async () => {
    apis = await twoApiProcesses();
  });

  for (const [name, revocation] of Object.entries(REVOCATIONS)) {
    const times = name === 'a revoked token' ? TRIALS_PER_REVOCATION * 5 : TRIALS_PER_REVOCATION;
    it(`another process rejects revoked access within one second: ${name}, ${times} times`, async () => {
      let latest = Number.NEGATIVE_INFINITY;
      for (let done = 0; done < times; done += TRIALS_AT_ONCE) {
        const trial = await countLateAcceptances(apis, revocation, Math.min(TRIALS_AT_ONCE, times - done));
        expect(trial.late).to.equal(0);
        latest = Math.max(latest, trial.latest);
      }
      console.log(`      last accepted call: ${latest.toFixed(0)} ms after the response to the revocation`);
    });
  }
});
