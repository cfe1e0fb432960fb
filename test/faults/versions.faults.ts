import { expect } from 'chai';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';
import { expectOneOfTwo, versioned } from '../support/version-trials.ts';

const PAIRS = 200;
const AT_ONCE = 20;

describe('Versions of records, at length', () => {
  for (const endpoint of versioned) {
    const { method, path } = endpoint;

    it(`let one of two in, ${PAIRS} times: ${method.toUpperCase()} ${path}`, async () => {
      let changed = 0;
      for (let done = 0; done < PAIRS; done += AT_ONCE) {
        const world = await aProject();
        const pairs = await Promise.all(times(AT_ONCE, () => expectOneOfTwo(endpoint, world)));
        changed += pairs.filter(Boolean).length;
      }
      expect(changed).to.be.at.least(PAIRS / 2);
    }).timeout(120_000);
  }
});
