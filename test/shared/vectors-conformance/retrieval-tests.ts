import { expect } from 'chai';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { parseTagExpression } from '#shared/domain/knowledge/retrieval/tag-expression.ts';
import { type Embedder, embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { type ChunkIndex, setChunkIndex } from '#shared/vectors/index.ts';
import { vectorOf } from '../../support/chunk-rows.ts';
import { aNamespaceKey, anIndexedContent } from '../../support/indexed-contents.ts';

const ALPHAS = [0, 0.25, 0.5, 0.75, 1];
const QUESTION = 'refund of an invoice';
/** Has the words of the question, and a vector that is far from that of the question. */
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

/** Tests of the options of a complete retrieval: `alpha`, the filter by tags, and the minimum similarity. */
export function retrievalTests(index: () => ChunkIndex): void {
  const withIndex = async (work: (key: ReturnType<typeof aNamespaceKey>) => Promise<void>) => {
    const original = embedder();
    setEmbedder(meaningEmbedder);
    setChunkIndex(index());
    try {
      await work(aNamespaceKey());
    } finally {
      setChunkIndex(undefined);
      setEmbedder(original);
    }
  };

  it('retrieval searches only the contents whose tags match an expression', () =>
    withIndex(async (key) => {
      const contents = { shop: ['shop'], draft: ['shop', 'draft'], old: ['old'], none: undefined };
      for (const [name, tags] of Object.entries(contents))
        await anIndexedContent(key, [`${BY_WORDS} ${name}`], { source: name, tags });
      const sourcesOf = async (tags: string) => {
        const { rankedChunks } = await retrieve(key, QUESTION, { limit: 5, tags: parseTagExpression(tags) });
        return rankedChunks.map(({ source }) => source).toSorted();
      };
      expect(await sourcesOf('shop & !draft')).to.deep.equal(['shop']);
      expect(await sourcesOf('draft | old')).to.deep.equal(['draft', 'old']);
      expect(await sourcesOf('!(draft | old)')).to.deep.equal(['none', 'shop']);
      expect(await sourcesOf('draft & old')).to.deep.equal([]);
    }));

  it('retrieval omits chunks below the minimum similarity, whether they were found by text or by vector', () =>
    withIndex(async (key) => {
      for (const text of [BY_WORDS, BY_VECTOR]) await anIndexedContent(key, [text]);
      const search = (minSimilarity?: number) => retrieve(key, QUESTION, { limit: 5, minSimilarity });
      const all = await search();
      expect(all.chunks.map(({ text }) => text)).to.have.members([BY_WORDS, BY_VECTOR]);
      const similarities = Object.fromEntries(all.chunks.map(({ text, similarity }) => [text, similarity]));
      expect(similarities[BY_WORDS]).to.be.closeTo(0.6, 1e-6);
      expect(similarities[BY_VECTOR]).to.be.closeTo(1, 1e-6);
      const { chunks, rankedChunks } = await search(0.7);
      expect([chunks, rankedChunks].map((list) => list.map(({ text }) => text))).to.deep.equal([
        [BY_VECTOR],
        [BY_VECTOR],
      ]);
      expect(chunks[0]?.score).to.equal(all.chunks.find(({ text }) => text === BY_VECTOR)?.score);
    }));

  it('`alpha` moves the weight steadily from the full-text search (0) to the vector search (1)', () =>
    withIndex(async (key) => {
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
    }));
}
