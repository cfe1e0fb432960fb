/** What is asked of a project most costs the same in a large one; with a million conversations: `npm run bench`. */
import { expect } from 'chai';
import { aProjectOf, expectRight, queriesOf } from '../support/large-project.ts';
import { examinedBy } from '../support/plans.ts';

const SMALL = 1000;
const LARGE = 4000;
/** Keys more or less, where a deeper index or another page of one is met. */
const SLACK = 20;

describe('A project with four times as many conversations', () => {
  it('has no more looked at for a page, a search, a count or a conversation', async function large() {
    this.timeout(60_000);
    const [few, many] = [await aProjectOf(SMALL), await aProjectOf(LARGE)];
    await expectRight(many);
    const [ofFew, ofMany] = [await queriesOf(few), await queriesOf(many)];
    for (const [name, queries] of Object.entries(ofMany)) {
      const bound = (await examinedBy(ofFew[name] ?? [])) + SLACK;
      expect(await examinedBy(queries), name).to.be.within(1, bound);
    }
  });
});
