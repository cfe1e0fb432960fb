import { expect } from 'chai';
import { judgeAnswerability, weighEvidence } from '#shared/domain/knowledge/retrieval/answerability.ts';

const aWord = (word: string, chunkCount: number) => ({
  word,
  chunkCount,
  score: chunkCount ? 5 : 0,
  chunksByContent: new Map<string, number>(),
});
const evidenceOf = (words: ReturnType<typeof aWord>[]) => weighEvidence({ words, names: [], chunks: [], richness: 1 });

const KNOWN = evidenceOf([aWord('oven', 9), aWord('clean', 12), aWord('door', 4)]);
const NEAR = { nearestSentence: 0.6, leastCoveredWord: -0.1 };

describe('Answerability of a question', () => {
  it('weighEvidence returns the three rarest words of the question, rarest first', () => {
    const words = [aWord('door', 20), aWord('alexa', 0), aWord('oven', 9), aWord('switch', 2)];
    expect(evidenceOf(words).rareWords).to.deep.equal(['alexa', 'switch', 'oven']);
  });

  it('a question is answerable if the contents contain its words and a sentence is similar to it', () => {
    expect(judgeAnswerability(KNOWN, NEAR).answerable).to.equal(true);
  });

  it('a question is not answerable if the best-matching page lacks an important word of the question, or if no sentence is similar', () => {
    expect(judgeAnswerability(KNOWN, { ...NEAR, leastCoveredWord: -0.6 }).answerable).to.equal(false);
    expect(judgeAnswerability(KNOWN, { ...NEAR, nearestSentence: 0.2 }).answerable).to.equal(false);
  });

  it('a question with a name that no chunk mentions is less likely to be answerable', () => {
    const named = weighEvidence({ words: [aWord('oven', 9)], names: ['alexa'], chunks: [], richness: 1 });
    const unnamed = weighEvidence({ words: [aWord('oven', 9)], names: [], chunks: [], richness: 1 });
    expect(judgeAnswerability(named, NEAR).confidence).to.be.below(judgeAnswerability(unnamed, NEAR).confidence);
  });

  it('a long question about a subject that the contents do not cover is not answerable', () => {
    const words = Array.from({ length: 20 }, (_, index) => aWord(`word${index}`, index % 3));
    const { answerable } = judgeAnswerability(evidenceOf(words), { nearestSentence: 0.2, leastCoveredWord: -0.5 });
    expect(answerable).to.equal(false);
  });

  it('without an embedding model, a question is answerable if the contents contain its words', () => {
    expect(judgeAnswerability({ ...KNOWN, bm25Share: 0.6 }, null).answerable).to.equal(true);
    const unknown = evidenceOf([aWord('alexa', 0), aWord('switch', 0)]);
    expect(judgeAnswerability(unknown, null).answerable).to.equal(false);
  });
});
