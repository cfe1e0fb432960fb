import { expect } from 'chai';
import { searchChunks } from '#shared/domain/knowledge/answers/answer-question.ts';
import { rerankedCount } from '#shared/domain/knowledge/answers/rerank-chunks.ts';
import { sentenceScores } from '#shared/domain/knowledge/retrieval/sentence-scores.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { times } from '../support/fleet-fixture.ts';
import { aNamespaceKey, anIndexedContent, wordEmbedder } from '../support/indexed-contents.ts';

const QUESTION = 'how long must sourdough bread rest';
/** Answers the question in one of its sentences. */
const LONG_TEXT = 'Flour comes from the mill. Sourdough bread must rest long.';
/** Has the words of the question, but no sentence. */
const SHORT_TEXT = '- Sourdough\n- Bread\n- Rest\n- Long\n- Must';

describe('Reranking by sentences, without a configured reranker', () => {
  const original = embedder();
  before(() => setEmbedder(wordEmbedder));
  after(() => setEmbedder(original));

  const search = async (key: ReturnType<typeof aNamespaceKey>, more: object) => {
    const input = {
      ...{ question: QUESTION, max_tokens: 1, temperature: 0, citations: false, advancedPrompt: false, top_k: 1 },
      ...{ chat_history_dict: {}, include_history_in_prompt: false, max_history_messages: 0 },
      ...more,
    };
    const { retrieval } = await searchChunks(key, input, { signal: AbortSignal.timeout(10_000) });
    return retrieval;
  };

  it('reranking ranks the chunk with the best sentence first, and gives it the score that the first chunk had before', async () => {
    const key = aNamespaceKey();
    for (const text of [LONG_TEXT, SHORT_TEXT]) await anIndexedContent(key, [text]);
    const plain = await search(key, { top_k: 2 });
    expect(plain.chunks.map(({ text }) => text)).to.deep.equal([SHORT_TEXT, LONG_TEXT]);
    const { chunks, rankedChunks } = await search(key, { top_k: 2, reranking: true });
    expect(chunks.map(({ text }) => text)).to.deep.equal([LONG_TEXT, SHORT_TEXT]);
    expect(chunks.map(({ score }) => score)).to.deep.equal(plain.chunks.map(({ score }) => score));
    expect(rankedChunks).to.deep.equal(chunks);
    expect((await search(key, { top_k: 1, reranking: true })).chunks.map(({ text }) => text)).to.deep.equal([
      LONG_TEXT,
    ]);
  });

  it('at most 96 sentences, those of the first chunks, are compared with the question', async () => {
    const compared: string[] = [];
    setEmbedder({
      ...wordEmbedder,
      embed: (texts, options) => {
        compared.push(...texts.slice(1));
        return wordEmbedder.embed(texts, options);
      },
    });
    const chunks = times(100, (index) => ({
      ...{ id: `${index}`, content: 'c', source: '', name: '', headings: [], score: 1 },
      text: `Sourdough bread number ${index} must rest long.`,
    }));
    const scores = await sentenceScores(QUESTION, chunks, { project: 'p' });
    setEmbedder(wordEmbedder);
    expect(compared).to.deep.equal(chunks.slice(0, 96).map(({ text }) => text));
    expect(scores.map((score) => score > 0)).to.deep.equal(times(100, (index) => index < 96));
  });

  const counts: [number, number | undefined, number][] = [
    [5, undefined, 15],
    [5, 2.5, 12],
    [40, 3, 80],
    [50, 3, 100],
    [50, 1, 50],
  ];
  for (const [top_k, reranking_multiplier, count] of counts)
    it(`${count} chunks are reranked for top_k ${top_k} and the multiplier ${reranking_multiplier ?? 3}`, () =>
      expect(rerankedCount({ top_k, reranking_multiplier })).to.equal(count));
});
