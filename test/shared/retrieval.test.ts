import { expect } from 'chai';
import { embedder, useEmbedder } from '#shared/embedding/embedder.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { retrieve } from '#shared/retrieval/retrieve.ts';
import { aContent, aPlace, attemptAt, wordEmbedder } from '../support/passages.ts';

const BREAD = 'Bread rises in a warm place for an hour.';
const SOUP = 'Soup tastes better on the second day.';

describe('retrieval', () => {
  const before_ = embedder();
  before(() => useEmbedder(wordEmbedder));
  after(() => useEmbedder(before_));

  const textsOf = async (...args: Parameters<typeof retrieve>) =>
    (await retrieve(...args)).passages.map(({ text }) => text);

  it('puts the passage that shares the words first', async () => {
    const place = aPlace();
    await aContent(place, [SOUP]);
    await aContent(place, [BREAD]);
    const { passages, mode } = await retrieve(place, 'where does my bread rise?', { limit: 5 });
    expect(passages[0]?.text).to.equal(BREAD);
    expect(mode).to.equal('hybrid');
  });

  it('sees the passages of the current attempt alone', async () => {
    const place = aPlace();
    const content = await aContent(place, [BREAD]);
    const next = await attemptAt(place, content, ['Bread rises in a cold place for a day.']);
    expect(await textsOf(place, 'bread', { limit: 5 })).to.deep.equal([BREAD]);
    await KbContent.updateOne({ _id: content, id_project: place.id_project }, { $set: { current: next } });
    expect(await textsOf(place, 'bread', { limit: 5 })).to.deep.equal(['Bread rises in a cold place for a day.']);
  });

  it('sees nothing of a content that is gone, though its passages are still indexed', async () => {
    const place = aPlace();
    const content = await aContent(place, [BREAD]);
    await KbContent.deleteOne({ _id: content, id_project: place.id_project });
    const { passages, evidence } = await retrieve(place, 'bread', { limit: 5 });
    expect(passages).to.deep.equal([]);
    expect(evidence.answerable).to.equal(false);
  });

  it('A13: answers 100 questions over 20 namespaces of one project without one foreign passage', async () => {
    const { id_project } = aPlace();
    const places = Array.from({ length: 20 }, () => ({ id_project, namespace: aPlace().namespace }));
    await Promise.all(
      places.map((place) => aContent(place, [`Bread of ${place.namespace}`, `Soup of ${place.namespace}`])),
    );
    for (const word of ['bread', 'soup', 'of', 'namespace', 'bread soup'])
      for (const place of places)
        for (const text of await textsOf(place, word, { limit: 10 })) expect(text).to.include(place.namespace);
  });

  it('finds only contents that have all the tags asked for', async () => {
    const place = aPlace();
    await aContent(place, [`${BREAD} One.`], { tags: ['oven'] });
    await aContent(place, [`${BREAD} Two.`], { tags: ['oven', 'rye'] });
    expect(await textsOf(place, 'bread', { limit: 5, tags: ['oven', 'rye'] })).to.deep.equal([`${BREAD} Two.`]);
    expect(await textsOf(place, 'bread', { limit: 5, tags: ['wheat'] })).to.deep.equal([]);
  });

  it('works by full text alone where there is no model, and says so', async () => {
    const place = aPlace();
    useEmbedder(null);
    try {
      await aContent(place, [BREAD, SOUP]);
      const { passages, mode } = await retrieve(place, 'a warm place for bread?', { limit: 1 });
      expect(mode).to.equal('full text');
      expect(passages.map(({ text }) => text)).to.deep.equal([BREAD]);
    } finally {
      useEmbedder(wordEmbedder);
    }
  });

  it('gives several pages among the first passages rather than one page alone', async () => {
    const place = aPlace();
    const page = await aContent(place, ['Bread, white.', 'Bread, brown.', 'Bread, black.']);
    await aContent(place, ['Bread, rye.']);
    const { passages } = await retrieve(place, 'bread', { limit: 2 });
    expect(passages.map(({ content }) => content === page)).to.have.members([true, false]);
  });

  it('lets mmr choose what differs', async () => {
    const place = aPlace();
    await aContent(place, ['Bread rises in a warm place.']);
    await aContent(place, ['Bread rises in a warm place!']);
    await aContent(place, ['Bread from Vienna is dark.']);
    const question = 'how long until bread rises in my warm kitchen';
    expect(await textsOf(place, question, { limit: 2, searchType: 'hybrid' })).not.to.include(
      'Bread from Vienna is dark.',
    );
    expect(await textsOf(place, question, { limit: 2, searchType: 'mmr' })).to.include('Bread from Vienna is dark.');
  });

  it('stops when the caller leaves', async () => {
    const place = aPlace();
    const signal = AbortSignal.abort(new Error('left'));
    const error = await retrieve(place, 'bread', { limit: 1, signal }).catch((reason: Error) => reason);
    expect(error).to.have.property('message', 'left');
  });
});
