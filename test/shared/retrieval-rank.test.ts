import { expect } from 'chai';
import type { Candidate } from '#shared/domain/knowledge/retrieval/candidates.ts';
import { rankCandidates } from '#shared/domain/knowledge/retrieval/rank.ts';
import type { TermStatistics } from '#shared/domain/knowledge/retrieval/term-statistics.ts';

/** A chunk of a page. By default, all chunks have the same scores. */
const aCandidate = (content: string, more: Partial<Candidate> = {}): Candidate => ({
  id: content,
  content,
  index: 0,
  chunkCount: 10,
  source: '',
  name: '',
  headings: [],
  text: 'Bread is baked.',
  bm25: 2,
  cosine: 0.5,
  firstChunkCosine: 0.5,
  vector: null,
  ...more,
});

const word = (name: string, within: Record<string, number>): TermStatistics => ({
  word: name,
  chunkCount: 5,
  score: 4,
  chunksByContent: new Map(Object.entries(within)),
});

const rankedOrder = (candidates: Candidate[], terms: TermStatistics[]) =>
  rankCandidates(candidates, { words: terms, alpha: 0.8 }).map(({ content }) => content);

describe('Chunk ranking', () => {
  it('of two chunks with the same scores, the chunk whose page has more question words in other chunks ranks first', () => {
    const terms = [word('bread', { oven: 1, shop: 1 }), word('yeast', { oven: 3 })];
    expect(rankedOrder([aCandidate('shop'), aCandidate('oven')], terms)).to.deep.equal(['oven', 'shop']);
  });

  it('the ranking compensates for the length of a page', () => {
    const terms = [word('bread', { long: 2, short: 2 })];
    const candidates = [aCandidate('long', { chunkCount: 200 }), aCandidate('short')];
    expect(rankedOrder(candidates, terms)).to.deep.equal(['short', 'long']);
  });

  it('an `alpha` of 1 ranks by meaning and ignores words', () => {
    const terms = [word('bread', { words: 9 })];
    const candidates = [aCandidate('words', { bm25: 4 }), aCandidate('meaning', { bm25: 0, cosine: 0.51 })];
    expect(rankCandidates(candidates, { words: terms, alpha: 1 }).map(({ content }) => content)).to.deep.equal([
      'meaning',
      'words',
    ]);
  });
});
