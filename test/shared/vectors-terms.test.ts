import { expect } from 'chai';
import { terms, weightsOf, wordsOf } from '#shared/vectors/terms.ts';

const one = (word: string) => terms(word)[0];

describe('the words of a chunk as a sparse vector', () => {
  it('gives the forms of a word one form', () => {
    for (const forms of [
      'refund refunds refunded refunding',
      'reply replies replied',
      'install installs installed',
      'run runs running',
    ]) {
      expect(new Set(terms(forms)), forms).to.have.length(1);
    }
    for (const [a, b] of [
      ['class', 'clay'],
      ['string', 'strong'],
      ['user', 'using'],
    ] as const)
      expect(one(a)).not.to.equal(one(b));
  });

  it('folds case and accents, splits at signs, and leaves stop words out', () => {
    expect(terms('The CAFÉ, and os.path')).to.deep.equal(['caf', 'os', 'path']);
    expect(terms('cafe')).to.deep.equal(['caf']);
  });

  it('splits scripts that write no spaces', () => {
    expect(terms('退款政策')).to.include('退款');
    expect(terms('환불 정책')).to.deep.equal(['환불', '정책']);
  });

  it('weighs a repeated word more, but less and less, and a word of a long text less', () => {
    const weight = (text: string) => weightsOf(text).values[0] ?? 0;
    const [once, twice, often] = [weight('zebra'), weight('zebra zebra'), weight('zebra '.repeat(50))];
    expect(twice).to.be.above(once);
    expect(often - twice).to.be.below((twice - once) * 10);
    expect(often).to.be.below(2.2);
    expect(weight(`zebra ${'word '.repeat(500)}`)).to.be.below(once);
  });

  it('puts a word of a question where it is in a chunk, once', () => {
    expect(wordsOf('Zebras? zebra!')).to.deep.equal({ indices: weightsOf('a zebra').indices, values: [1] });
    expect(wordsOf(' ?! the')).to.deep.equal({ indices: [], values: [] });
  });
});
