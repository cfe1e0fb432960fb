import { expect } from 'chai';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { type Embedder, embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { type ChunkIndex, setChunkIndex } from '#shared/vectors/index.ts';
import { vectorOf } from '../../support/chunk-rows.ts';
import { aNamespaceKey, anIndexedContent } from '../../support/indexed-contents.ts';

const ALPHAS = [0, 0.25, 0.5, 0.75, 1];
const QUESTION = 'refund of an invoice';
/** Has the words of the question, and a vector that is far from it. */
const BY_WORDS = 'A refund needs the invoice.';
/** Has other words, and the vector of the question. */
const BY_VECTOR = 'You get your money back within five days.';

const meaningEmbedder: Embedder = {
  provider: 'openai',
  name: 'meaning',
  dimension: 4,
  embed: async (texts) => texts.map((text) => (text === BY_WORDS ? vectorOf(0.6, 0.8, 0, 0) : vectorOf(1, 0, 0, 0))),
  close: async () => {},
};

/** Tests of `alpha`, the weight between full-text search and vector search, in a complete retrieval. */
export function retrievalTests(index: () => ChunkIndex): void {
  it('the weight alpha moves the scores steadily from the words (0) to the vectors (1)', async () => {
    const original = embedder();
    setEmbedder(meaningEmbedder);
    setChunkIndex(index());
    try {
      const key = aNamespaceKey();
      for (const text of [BY_WORDS, BY_VECTOR]) await anIndexedContent(key, [text]);
      const advantages: number[] = [];
      for (const alpha of ALPHAS) {
        const { chunks } = await retrieve(key, QUESTION, { limit: 5, alpha });
        const scoreOf = (wanted: string) => chunks.find(({ text }) => text === wanted)?.score ?? 0;
        advantages.push(scoreOf(BY_VECTOR) - scoreOf(BY_WORDS));
      }
      expect(advantages[0]).to.be.below(0);
      expect(advantages.at(-1)).to.be.above(0);
      expect(advantages).to.deep.equal(advantages.toSorted((a, b) => a - b));
    } finally {
      setChunkIndex(undefined);
      setEmbedder(original);
    }
  });
}
