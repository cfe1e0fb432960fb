/** A19 is an attack described in docs/attacks.md. */
import { expect } from 'chai';
import { times } from '../support/fleet-fixture.ts';
import { expectOneOfTwoSucceeds, versionedEndpoints } from '../support/if-match-trials.ts';
import { aProject } from '../support/people.ts';

const PAIR_COUNT = 200;
const PAIRS_AT_ONCE = 20;

describe('Concurrent changes with If-Match', () => {
  for (const endpoint of versionedEndpoints) {
    const { method, path } = endpoint;

    it(`A19: at most one of two concurrent changes with If-Match takes effect, in ${PAIR_COUNT} pairs: ${method.toUpperCase()} ${path}`, async () => {
      let changed = 0;
      for (let done = 0; done < PAIR_COUNT; done += PAIRS_AT_ONCE) {
        const fixture = await aProject();
        const pairs = await Promise.all(times(PAIRS_AT_ONCE, () => expectOneOfTwoSucceeds(endpoint, fixture)));
        changed += pairs.filter(Boolean).length;
      }
      expect(changed).to.be.at.least(PAIR_COUNT / 2);
    }).timeout(120_000);
  }
});
