import { expect } from 'chai';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { addAttempt, aNamespaceKey, anIndexedContent, wordEmbedder } from '../support/indexed-contents.ts';

const BREAD_TEXT = 'Bread rises in a warm place for an hour.';
const SOUP_TEXT = 'Soup tastes better on the second day.';

describe('Retrieval', () => {
  const originalEmbedder = embedder();
  before(() => setEmbedder(wordEmbedder));
  after(() => setEmbedder(originalEmbedder));

  const textsOf = async (...args: Parameters<typeof retrieve>) =>
    (await retrieve(...args)).chunks.map(({ text }) => text);

  it('retrieval ranks the chunk that shares words with the question first', async () => {
    const key = aNamespaceKey();
    await anIndexedContent(key, [SOUP_TEXT]);
    await anIndexedContent(key, [BREAD_TEXT]);
    const { chunks, mode } = await retrieve(key, 'where does my bread rise?', { limit: 5 });
    expect(chunks[0]?.text).to.equal(BREAD_TEXT);
    expect(mode).to.equal('hybrid');
  });

  it('retrieval returns only the chunks of the published attempt', async () => {
    const key = aNamespaceKey();
    const content = await anIndexedContent(key, [BREAD_TEXT]);
    const next = await addAttempt(key, content, ['Bread rises in a cold place for a day.']);
    expect(await textsOf(key, 'bread', { limit: 5 })).to.deep.equal([BREAD_TEXT]);
    await KbContent.updateOne({ _id: content, id_project: key.id_project }, { $set: { publishedAttemptId: next } });
    expect(await textsOf(key, 'bread', { limit: 5 })).to.deep.equal(['Bread rises in a cold place for a day.']);
  });

  it('retrieval returns no chunks of a deleted content that are still in the index', async () => {
    const key = aNamespaceKey();
    const content = await anIndexedContent(key, [BREAD_TEXT]);
    await KbContent.deleteOne({ _id: content, id_project: key.id_project });
    const { chunks, rankedChunks } = await retrieve(key, 'bread', { limit: 5 });
    expect(chunks).to.deep.equal([]);
    expect(rankedChunks).to.deep.equal([]);
  });

  it('retrieval returns no chunk of another namespace for 100 questions in 20 namespaces of a project', async () => {
    const { id_project } = aNamespaceKey();
    const keys = Array.from({ length: 20 }, () => ({ id_project, namespace: aNamespaceKey().namespace }));
    await Promise.all(
      keys.map((key) => anIndexedContent(key, [`Bread of ${key.namespace}`, `Soup of ${key.namespace}`])),
    );
    for (const word of ['bread', 'soup', 'of', 'namespace', 'bread soup'])
      for (const key of keys)
        for (const text of await textsOf(key, word, { limit: 10 })) expect(text).to.include(key.namespace);
  });

  it('retrieval returns only chunks of contents that have all requested tags', async () => {
    const key = aNamespaceKey();
    await anIndexedContent(key, [`${BREAD_TEXT} One.`], { tags: ['oven'] });
    await anIndexedContent(key, [`${BREAD_TEXT} Two.`], { tags: ['oven', 'rye'] });
    expect(await textsOf(key, 'bread', { limit: 5, tags: { and: ['oven', 'rye'] } })).to.deep.equal([
      `${BREAD_TEXT} Two.`,
    ]);
    expect(await textsOf(key, 'bread', { limit: 5, tags: 'wheat' })).to.deep.equal([]);
  });

  it('retrieval without an embedding model searches by full text and reports the mode `full text`', async () => {
    const key = aNamespaceKey();
    setEmbedder(null);
    try {
      await anIndexedContent(key, [BREAD_TEXT, SOUP_TEXT]);
      const { chunks, mode } = await retrieve(key, 'a warm place for bread?', { limit: 1 });
      expect(mode).to.equal('full text');
      expect(chunks.map(({ text }) => text)).to.deep.equal([BREAD_TEXT]);
    } finally {
      setEmbedder(wordEmbedder);
    }
  });

  it('retrieval returns chunks of several pages before a second chunk of one page', async () => {
    const key = aNamespaceKey();
    const page = await anIndexedContent(key, ['Bread, white.', 'Bread, brown.', 'Bread, black.']);
    await anIndexedContent(key, ['Bread, rye.']);
    const { chunks } = await retrieve(key, 'bread', { limit: 2 });
    expect(chunks.map(({ content }) => content === page)).to.have.members([true, false]);
  });

  it('retrieval also returns the chunks that ranked beyond the limit, and the rarest words of the question', async () => {
    const key = aNamespaceKey();
    await anIndexedContent(key, [BREAD_TEXT, SOUP_TEXT, 'Bread is served with soup.', 'Bread tastes of rye.']);
    const { chunks, rankedChunks, evidence } = await retrieve(key, "why does the baker's bread rise", { limit: 1 });
    expect(chunks).to.have.length(1);
    expect(rankedChunks.map(({ text }) => text)).to.include.members([BREAD_TEXT, SOUP_TEXT, 'Bread tastes of rye.']);
    expect(evidence.rareWords).to.deep.equal(['baker', 'rise', 'bread']);
  });

  it('the `mmr` search type prefers chunks that differ from each other', async () => {
    const key = aNamespaceKey();
    await anIndexedContent(key, ['Bread rises in a warm place.']);
    await anIndexedContent(key, ['Bread rises in a warm place!']);
    await anIndexedContent(key, ['Bread from Vienna is dark.']);
    const question = 'how long until bread rises in my warm kitchen';
    expect(await textsOf(key, question, { limit: 2, searchType: 'hybrid' })).not.to.include(
      'Bread from Vienna is dark.',
    );
    expect(await textsOf(key, question, { limit: 2, searchType: 'mmr' })).to.include('Bread from Vienna is dark.');
  });

  it('retrieval fails with the reason of an aborted signal', async () => {
    const key = aNamespaceKey();
    const signal = AbortSignal.abort(new Error('left'));
    const error = await retrieve(key, 'bread', { limit: 1, signal }).catch((reason: Error) => reason);
    expect(error).to.have.property('message', 'left');
  });
});
