import { expect } from 'chai';
import { type ChunkIndex, chunkCountOf } from '#shared/vectors/index.ts';
import { aRow, aSpace, hex, idsOf, vectorOf } from '../../support/chunk-rows.ts';

/** Tests of searches in a chunk index. */
export function searchTests(index: () => ChunkIndex): void {
  it('a chunk index finds chunks by words and their forms, the better match first', async () => {
    const space = aSpace();
    const refunds = aRow('Refunds are paid within five days. A refund needs the invoice.');
    const other = aRow('Shipping takes a week. The invoice is in the parcel with many other leaves of paper.');
    await index().add(space, [other, refunds, aRow('Our office is closed on Sundays.')]);
    const { text, vector } = await index().search(space, { text: 'How do I get an invoice refunded?', limit: 5 });
    expect(idsOf(text)).to.deep.equal([refunds.id, other.id]);
    expect(text[0]).to.include({ content: refunds.content, attemptId: refunds.attemptId });
    expect(text[0]?.score)
      .to.be.above(text[1]?.score ?? 0)
      .and.above(0);
    expect(vector).to.deep.equal([]);
  });

  it('a chunk index finds words with accents and in scripts without spaces', async () => {
    const space = aSpace({ dimension: null });
    const [cafe, chinese] = [aRow('Le café est ouvert'), aRow('退款政策说明')];
    await index().add(space, [cafe, chinese]);
    expect(idsOf((await index().search(space, { text: 'cafe', limit: 3 })).text)).to.deep.equal([cafe.id]);
    expect(idsOf((await index().search(space, { text: '退款', limit: 3 })).text)).to.deep.equal([chinese.id]);
  });

  it('a chunk index finds chunks by vector, with the cosine similarity as the score', async () => {
    const space = aSpace();
    const [near, far] = [aRow('one', { vector: vectorOf(2, 0, 0, 0) }), aRow('two', { vector: vectorOf(1, 1, 0, 0) })];
    await index().add(space, [far, near, aRow('three')]);
    const { vector, text } = await index().search(space, { vector: vectorOf(1, 0, 0, 0), limit: 5 });
    expect(idsOf(vector)).to.deep.equal([near.id, far.id]);
    expect(vector[0]?.score).to.be.closeTo(1, 1e-4);
    expect(vector[1]?.score).to.be.closeTo(Math.SQRT1_2, 1e-4);
    expect(text).to.deep.equal([]);
  });

  it('a chunk index searches by text and vector in one call and returns at most `limit` hits for each', async () => {
    const space = aSpace();
    const rows = Array.from({ length: 12 }, (_, i) => aRow(`parcel number ${i}`, { vector: vectorOf(1, i, 0, 0) }));
    await index().add(space, rows);
    const { text, vector } = await index().search(space, { text: 'parcel', vector: vectorOf(1, 0, 0, 0), limit: 5 });
    expect(text).to.have.length(5);
    expect(idsOf(vector)).to.deep.equal(idsOf(rows.slice(0, 5)));
  });

  it('a chunk index without vectors searches by full text only', async () => {
    const space = aSpace({ dimension: null });
    const row = aRow('reset the password');
    await index().add(space, [row]);
    expect(await index().search(space, { text: 'password', vector: vectorOf(1, 2, 3), limit: 5 })).to.nested.include({
      'text[0].id': row.id,
      'vector.length': 0,
    });
  });

  it('a chunk index reads query syntax in a question as plain words', async () => {
    const space = aSpace({ dimension: null });
    const row = aRow('zebra crossing');
    await index().add(space, [row]);
    for (const text of [
      'zebra AND "',
      'text:* zebra',
      '+zebra -zebra',
      '(zebra',
      '{"match":{"zebra":1}}',
      "zebra' OR '1'='1",
    ]) {
      expect(idsOf((await index().search(space, { text, limit: 5 })).text), text).to.deep.equal([row.id]);
    }
    for (const text of ['*', '', ' ', '?!', 'the', '\0']) {
      expect((await index().search(space, { text, limit: 5 })).text, text).to.deep.equal([]);
    }
  });

  it('a chunk index limits a search to the given contents', async () => {
    const space = aSpace();
    const rows = Array.from({ length: 30 }, (_, i) => aRow('same words', { vector: vectorOf(1, i / 100, 0, 0) }));
    await index().add(space, rows);
    const wantedRows = rows.slice(-2);
    const contents = wantedRows.map(({ content }) => content);
    const { text, vector } = await index().search(space, {
      text: 'words',
      vector: vectorOf(1, 0, 0, 0),
      limit: 5,
      contents,
    });
    expect(idsOf(text)).to.have.members(idsOf(wantedRows)).and.to.have.length(2);
    expect(idsOf(vector)).to.deep.equal(idsOf(wantedRows));
    const none = await index().search(space, { text: 'words', vector: vectorOf(1, 0, 0, 0), limit: 5, contents: [] });
    expect(none).to.deep.equal({ text: [], vector: [] });
  });

  it('a chunk index counts the chunks of each content that contain a word, and returns the best score of a search for the word', async () => {
    const space = aSpace();
    const [often, once, none] = [hex(24), hex(24), hex(24)];
    const counted = [aRow('refund one', { content: often }), aRow('refund two', { content: often })];
    const other = aRow('A refund is paid within five days of the return', { content: once });
    await index().add(space, [...counted, other, aRow('shipping', { content: none })]);
    const search = { text: 'refund', limit: 10 };
    const { text } = await index().search(space, search);
    const { score, chunksByContent } = await index().countMatches(space, search);
    expect(Object.fromEntries(chunksByContent)).to.deep.equal({ [often]: 2, [once]: 1 });
    expect(score).to.equal(text[0]?.score);
    const countOf = async (query: object) => chunkCountOf(await index().countMatches(space, { ...search, ...query }));
    expect(await countOf({ limit: 2 })).to.equal(2);
    expect(await countOf({ contents: [once] })).to.equal(1);
    for (const query of [{ contents: [] }, { text: '' }, { text: 'parcel' }]) expect(await countOf(query)).to.equal(0);
  });
}
