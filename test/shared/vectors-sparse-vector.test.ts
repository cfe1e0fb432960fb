import { expect } from 'chai';
import { chunkVector, queryVector, splitTerms } from '#shared/vectors/sparse-vector.ts';

const termOf = (word: string) => splitTerms(word)[0];

describe('Sparse vectors', () => {
  it('splitTerms reduces the forms of a word to one term', () => {
    for (const forms of [
      'refund refunds refunded refunding',
      'reply replies replied',
      'install installs installed',
      'run runs running',
    ]) {
      expect(new Set(splitTerms(forms)), forms).to.have.length(1);
    }
    for (const [a, b] of [
      ['class', 'clay'],
      ['string', 'strong'],
      ['user', 'using'],
    ] as const)
      expect(termOf(a)).not.to.equal(termOf(b));
  });

  it('splitTerms folds case and accents, splits at punctuation and omits stop words', () => {
    expect(splitTerms('The CAFÉ, and os.path')).to.deep.equal(['caf', 'os', 'path']);
    expect(splitTerms('cafe')).to.deep.equal(['caf']);
  });

  it('splitTerms splits scripts without spaces', () => {
    expect(splitTerms('退款政策')).to.include('退款');
    expect(splitTerms('환불 정책')).to.deep.equal(['환불', '정책']);
  });

  it('the weight of a term grows less with each repetition and is lower in a long text', () => {
    const weight = (text: string) => chunkVector(text).values[0] ?? 0;
    const [once, twice, often] = [weight('zebra'), weight('zebra zebra'), weight('zebra '.repeat(50))];
    expect(twice).to.be.above(once);
    expect(often - twice).to.be.below((twice - once) * 10);
    expect(often).to.be.below(2.2);
    expect(weight(`zebra ${'word '.repeat(500)}`)).to.be.below(once);
  });

  it('queryVector returns the same indices as chunkVector, each once', () => {
    expect(queryVector('Zebras? zebra!')).to.deep.equal({ indices: chunkVector('a zebra').indices, values: [1] });
    expect(queryVector(' ?! the')).to.deep.equal({ indices: [], values: [] });
  });
});
