/**
 * The most frequent queries examine about as many index keys in a large project as in a small one. `npm run bench`
 * measures a project with a million conversations.
 */
import { expect } from 'chai';
import { countExamined } from '../support/explain.ts';
import { aLargeProject, expectIndexedAndCounted, queriesOf } from '../support/large-project.ts';

/** Enough conversations to fill the first page of each list. */
const SMALL_SIZE = 800;
const LARGE_SIZE = 1600;
/** Additional keys that are allowed, because a larger index is a deeper tree. */
const MAX_EXTRA_KEYS = 20;

describe('Queries of a large project', () => {
  it('listing, searching, counting and reading conversations examine at most 20 more index keys in a project twice as large', async function large() {
    const [few, many] = [await aLargeProject(SMALL_SIZE), await aLargeProject(LARGE_SIZE)];
    await expectIndexedAndCounted(many);
    const [ofFew, ofMany] = [await queriesOf(few), await queriesOf(many)];
    for (const [name, queries] of Object.entries(ofMany)) {
      const bound = (await countExamined(ofFew[name] ?? [])) + MAX_EXTRA_KEYS;
      expect(await countExamined(queries), name).to.be.within(1, bound);
    }
  });
});
