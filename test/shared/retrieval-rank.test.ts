import { expect } from 'chai';
import type { Candidate } from '#shared/retrieval/candidates.ts';
import type { KnownWord } from '#shared/retrieval/knowledge.ts';
import { rank } from '#shared/retrieval/rank.ts';

/** A passage of a page; all are as near to the question. */
const passageOf = (content: string, more: Partial<Candidate> = {}): Candidate => ({
  id: content,
  content,
  index: 0,
  passages: 10,
  source: '',
  name: '',
  headings: [],
  text: 'Bread is baked.',
  words: 2,
  meaning: 0.5,
  opening: 0.5,
  vector: null,
  ...more,
});

const word = (name: string, within: Record<string, number>): KnownWord => ({
  word: name,
  passages: 5,
  score: 4,
  within: new Map(Object.entries(within)),
});

const order = (candidates: Candidate[], asked: KnownWord[]) =>
  rank(candidates, { asked, alpha: 0.8 }).map(({ content }) => content);

describe('the order of passages', () => {
  it('is led, of two alike, by the one whose page has more words of the question in other passages', () => {
    const asked = [word('bread', { oven: 1, shop: 1 }), word('yeast', { oven: 3 })];
    expect(order([passageOf('shop'), passageOf('oven')], asked)).to.deep.equal(['oven', 'shop']);
  });

  it('takes into account that a long page uses every word somewhere', () => {
    const asked = [word('bread', { long: 2, short: 2 })];
    const candidates = [passageOf('long', { passages: 200 }), passageOf('short')];
    expect(order(candidates, asked)).to.deep.equal(['short', 'long']);
  });

  it('does not ask for words where only meaning is wanted', () => {
    const asked = [word('bread', { words: 9 })];
    const candidates = [passageOf('words', { words: 4 }), passageOf('meaning', { words: 0, meaning: 0.51 })];
    expect(rank(candidates, { asked, alpha: 1 }).map(({ content }) => content)).to.deep.equal(['meaning', 'words']);
  });
});
