import { expect } from 'chai';
import { changedValues } from '#shared/domain/conversations/changed-values.ts';

const NOTES = 100;

describe('changedValues', () => {
  it('changedValues serializes each record of a long list at most six times, and returns the records that were added', () => {
    let serialized = 0;
    const note = (text: string) => ({ text, toJSON: () => ((serialized += 1), { text }) });
    const notes = Array.from({ length: NOTES }, (_, index) => note(`note ${index}`));
    const added = note('added');

    const { previous, current } = changedValues({ notes }, { set: { notes: [...notes, added] } });

    expect(previous).to.deep.equal({ notes: [] });
    expect(current).to.deep.equal({ notes: [added] });
    // Three times in each of the two lists. Comparing each record with all others would serialize them far more often.
    expect(serialized).to.be.at.most(6 * (NOTES + 1));
  });
});
