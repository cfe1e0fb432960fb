import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ulid } from 'ulid';
import { config } from '#shared/config.ts';
import { lanceIndex } from '#shared/vectors/lancedb.ts';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { qdrantIndex } from '#shared/vectors/qdrant.ts';
import { aRow, aSpace, allIds, at, hex, idsOf } from '../support/chunk-rows.ts';
import { startQdrantShim } from '../support/qdrant-shim.ts';

/** Attack A14: what must never reach a path or a filter. */
const INJECTIONS = [
  "' OR '1'='1",
  "x' OR 1=1 --",
  "'; DROP TABLE chunks; --",
  "') OR ('1'='1",
  '" OR ""="',
  "a' UNION SELECT * FROM x --",
  '../../../etc/passwd',
  '..',
  '.',
  '/etc',
  '..\\..\\x',
  '%2e%2e%2f',
  'a/b',
  'a\0b',
  '',
  ' ',
  '*',
  '%',
  '_',
  '`id`',
  '$(id)',
  '{"$ne":null}',
  '[object Object]',
  'null',
  'true',
  '0',
  `${'a'.repeat(24)}\n`,
  `${'a'.repeat(23)}'`,
  'A'.repeat(24),
  `${'a'.repeat(24)} OR true`,
  'ａ'.repeat(24),
  `${'0'.repeat(24)}\u202e`,
];

async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return 'accepted';
}

function conformance(
  title: string,
  open: (this: Mocha.Context) => Promise<{ index: ChunkIndex; end(): Promise<void> }>,
) {
  describe(`the ${title} index of chunks`, function () {
    this.timeout(20_000);
    let index: ChunkIndex;
    let end = async () => {};

    before(async function () {
      this.timeout(120_000);
      ({ index, end } = await open.call(this));
    });
    after(() => end());

    it('is ready and says what it is', async () => {
      await index.ready();
      expect(index.type).to.be.a('string').that.is.not.empty;
    });

    it('has an identity that outlives what is added and dropped', async () => {
      const identity = await index.identity();
      const space = aSpace();
      await index.add(space, [aRow('word')]);
      await index.dropProject(space.project);
      expect(await index.identity())
        .to.equal(identity)
        .and.to.have.length.above(20);
    });

    it('finds by words, forms of a word included, the better match first', async () => {
      const space = aSpace();
      const refunds = aRow('Refunds are paid within five days. A refund needs the invoice.');
      const other = aRow('Shipping takes a week. The invoice is in the parcel with many other leaves of paper.');
      await index.add(space, [other, refunds, aRow('Our office is closed on Sundays.')]);
      const { text, vector } = await index.search(space, { text: 'How do I get an invoice refunded?', limit: 5 });
      expect(idsOf(text)).to.deep.equal([refunds.id, other.id]);
      expect(text[0]).to.include({ content: refunds.content, attempt: refunds.attempt });
      expect(text[0]?.score)
        .to.be.above(text[1]?.score ?? 0)
        .and.above(0);
      expect(vector).to.deep.equal([]);
    });

    it('finds words with accents and in scripts without spaces', async () => {
      const space = aSpace({ dimension: null });
      const [cafe, chinese] = [aRow('Le café est ouvert'), aRow('退款政策说明')];
      await index.add(space, [cafe, chinese]);
      expect(idsOf((await index.search(space, { text: 'cafe', limit: 3 })).text)).to.deep.equal([cafe.id]);
      expect(idsOf((await index.search(space, { text: '退款', limit: 3 })).text)).to.deep.equal([chinese.id]);
    });

    it('finds by meaning, with the cosine similarity as score', async () => {
      const space = aSpace();
      const [near, far] = [aRow('one', { vector: at(2, 0, 0, 0) }), aRow('two', { vector: at(1, 1, 0, 0) })];
      await index.add(space, [far, near, aRow('three')]);
      const { vector, text } = await index.search(space, { vector: at(1, 0, 0, 0), limit: 5 });
      expect(idsOf(vector)).to.deep.equal([near.id, far.id]);
      expect(vector[0]?.score).to.be.closeTo(1, 1e-4);
      expect(vector[1]?.score).to.be.closeTo(Math.SQRT1_2, 1e-4);
      expect(text).to.deep.equal([]);
    });

    it('answers both at once, and no more than asked', async () => {
      const space = aSpace();
      const rows = Array.from({ length: 12 }, (_, i) => aRow(`parcel number ${i}`, { vector: at(1, i, 0, 0) }));
      await index.add(space, rows);
      const { text, vector } = await index.search(space, { text: 'parcel', vector: at(1, 0, 0, 0), limit: 5 });
      expect(text).to.have.length(5);
      expect(idsOf(vector)).to.deep.equal(idsOf(rows.slice(0, 5)));
    });

    it('keeps full text alone where there is no model', async () => {
      const space = aSpace({ dimension: null });
      const row = aRow('reset the password');
      await index.add(space, [row]);
      expect(await index.search(space, { text: 'password', vector: at(1, 2, 3), limit: 5 })).to.nested.include({
        'text[0].id': row.id,
        'vector.length': 0,
      });
    });

    it('takes a question as words, whatever it looks like', async () => {
      const space = aSpace({ dimension: null });
      const row = aRow('zebra crossing');
      await index.add(space, [row]);
      for (const text of [
        'zebra AND "',
        'text:* zebra',
        '+zebra -zebra',
        '(zebra',
        '{"match":{"zebra":1}}',
        "zebra' OR '1'='1",
      ]) {
        expect(idsOf((await index.search(space, { text, limit: 5 })).text), text).to.deep.equal([row.id]);
      }
      for (const text of ['*', '', ' ', '?!', 'the', '\0']) {
        expect((await index.search(space, { text, limit: 5 })).text, text).to.deep.equal([]);
      }
    });

    it('shows an id once, however often it was added', async () => {
      const space = aSpace();
      const rows = Array.from({ length: 3 }, (_, i) => aRow(`widget ${i}`, { vector: at(1, i, 0, 0) }));
      for (let time = 0; time < 4; time += 1) await index.add(space, rows);
      const look = async () => {
        const { text, vector } = await index.search(space, { text: 'widget', vector: at(1, 0, 0, 0), limit: 3 });
        expect(idsOf(text)).to.have.members(idsOf(rows));
        expect(idsOf(vector)).to.deep.equal(idsOf(rows));
        expect(await allIds(index, space))
          .to.have.members(idsOf(rows))
          .and.to.have.length(3);
      };
      await look();
      await index.maintain(space);
      await look();
    });

    it('completes rows whose vectors come late, from a namespace without a model too', async () => {
      const row = aRow('cancel the subscription');
      for (const early of [4, null]) {
        const space = aSpace();
        await index.add({ ...space, dimension: early }, [row]);
        expect((await index.search(space, { text: 'cancel', vector: at(1, 0, 0, 0), limit: 3 })).vector).to.deep.equal(
          [],
        );
        await index.add(space, [{ ...row, vector: at(1, 0, 0, 0) }]);
        const { text, vector } = await index.search(space, { text: 'cancel', vector: at(1, 0, 0, 0), limit: 3 });
        expect([idsOf(text), idsOf(vector)]).to.deep.equal([[row.id], [row.id]]);
        expect(await allIds(index, space)).to.deep.equal([row.id]);
      }
    });

    it('takes vectors of another model beside the old ones', async () => {
      const space = aSpace();
      const row = aRow('billing');
      await index.add(space, [{ ...row, vector: at(1, 0, 0, 0) }]);
      const other = { ...space, dimension: 3 };
      await index.add(other, [{ ...row, vector: at(0, 1, 0) }]);
      expect(idsOf((await index.search(other, { vector: at(0, 1, 0), limit: 3 })).vector)).to.deep.equal([row.id]);
      await index.drop(other);
      expect(await allIds(index, space)).to.deep.equal([]);
    });

    it('narrows the answer to some contents', async () => {
      const space = aSpace();
      const rows = Array.from({ length: 30 }, (_, i) => aRow('same words', { vector: at(1, i / 100, 0, 0) }));
      await index.add(space, rows);
      const wanted = rows.slice(-2);
      const contents = wanted.map(({ content }) => content);
      const { text, vector } = await index.search(space, { text: 'words', vector: at(1, 0, 0, 0), limit: 5, contents });
      expect(idsOf(text)).to.have.members(idsOf(wanted)).and.to.have.length(2);
      expect(idsOf(vector)).to.deep.equal(idsOf(wanted));
      const none = await index.search(space, { text: 'words', vector: at(1, 0, 0, 0), limit: 5, contents: [] });
      expect(none).to.deep.equal({ text: [], vector: [] });
    });

    it('removes the rows of some attempts', async () => {
      const space = aSpace();
      const [old, kept] = [ulid(), ulid()];
      const rows = [old, kept, old].map((attempt) => aRow('agent', { attempt, vector: at(1, 0, 0, 0) }));
      await index.add(space, rows);
      await index.removeAttempts(space, [old, ulid()]);
      await index.removeAttempts(space, []);
      const { text, vector } = await index.search(space, { text: 'agent', vector: at(1, 0, 0, 0), limit: 5 });
      expect([idsOf(text), idsOf(vector)]).to.deep.equal([[rows[1]?.id], [rows[1]?.id]]);
      expect(await allIds(index, space)).to.deep.equal([rows[1]?.id]);
    });

    it('gives every id for reconciliation, over many pages', async () => {
      const space = aSpace({ dimension: null });
      const rows = Array.from({ length: 1_100 }, (_, i) => aRow(`row ${i}`));
      await Promise.all([index.add(space, rows.slice(0, 300)), index.add(space, rows.slice(300))]);
      const ids = await allIds(index, space);
      expect(ids).to.have.length(1_100);
      expect(new Set(ids)).to.deep.equal(new Set(idsOf(rows)));
    });

    it('knows nothing of a namespace that was never filled', async () => {
      const space = aSpace();
      await index.removeAttempts(space, [ulid()]);
      await index.drop(space);
      await index.maintain(space);
      expect(await index.search(space, { text: 'a word', vector: at(1, 0, 0, 0), limit: 5 })).to.deep.equal({
        text: [],
        vector: [],
      });
      expect(await allIds(index, space)).to.deep.equal([]);
    });

    it('keeps two projects apart, though a namespace has the same id', async () => {
      const mine = aSpace();
      const theirs = { ...mine, project: hex(24) };
      const [secret, own] = [
        aRow('secret word', { vector: at(1, 0, 0, 0) }),
        aRow('own word', { vector: at(1, 0, 0, 0) }),
      ];
      await index.add(theirs, [secret]);
      expect(await allIds(index, mine)).to.deep.equal([]);
      await index.add(mine, [own]);
      const { text, vector } = await index.search(mine, { text: 'word', vector: at(1, 0, 0, 0), limit: 9 });
      expect([idsOf(text), idsOf(vector)]).to.deep.equal([[own.id], [own.id]]);
      await index.removeAttempts(mine, [secret.attempt]);
      await index.dropProject(mine.project);
      expect(await allIds(index, theirs)).to.deep.equal([secret.id]);
    });

    it('drops a namespace, a project, and can be filled again', async () => {
      const space = aSpace();
      const sibling = { ...space, namespace: hex(24) };
      await Promise.all([index.add(space, [aRow('one')]), index.add(sibling, [aRow('two')])]);
      await index.drop(space);
      expect([await allIds(index, space), (await allIds(index, sibling)).length]).to.deep.equal([[], 1]);
      const again = aRow('three', { vector: at(1, 0, 0, 0) });
      await index.add(space, [again]);
      expect(idsOf((await index.search(space, { text: 'three', limit: 2 })).text)).to.deep.equal([again.id]);
      await index.dropProject(space.project);
      expect([await allIds(index, space), await allIds(index, sibling)]).to.deep.equal([[], []]);
    });

    it('A14: refuses every id that is not plain, before it reaches a path or a filter', async () => {
      const space = aSpace();
      const vector = at(1, 0, 0, 0);
      await index.add(space, [aRow('kept', { vector })]);
      for (const bad of INJECTIONS) {
        const attempts = [
          index.add({ ...space, project: bad }, [aRow('x')]),
          index.add({ ...space, namespace: bad }, [aRow('x')]),
          index.add(space, [aRow('x', { id: bad })]),
          index.add(space, [aRow('x', { content: bad })]),
          index.add(space, [aRow('x', { attempt: bad })]),
          index.removeAttempts(space, [ulid(), bad]),
          index.drop({ ...space, namespace: bad }),
          index.dropProject(bad),
          index.search(space, { text: 'kept', limit: 3, contents: [bad] }),
          index.search({ ...space, namespace: bad }, { vector, limit: 3 }),
        ];
        expect(new Set(await Promise.all(attempts.map(refusal))), JSON.stringify(bad)).to.deep.equal(
          new Set(['INVALID_ID']),
        );
      }
      expect(await allIds(index, space)).to.have.length(1);
    });

    it('refuses vectors that do not fit', async () => {
      const space = aSpace();
      for (const vector of [at(1, 2, 3), at(1, 2, 3, Number.NaN), at(1, 2, 3, Number.POSITIVE_INFINITY)]) {
        expect(await refusal(index.add(space, [aRow('x', { vector })]))).to.equal('INVALID_ID');
        expect(await refusal(index.search(space, { vector, limit: 1 }))).to.equal('INVALID_ID');
      }
      expect(await refusal(index.add({ ...space, dimension: null }, [aRow('x', { vector: at(1) })]))).to.equal(
        'INVALID_ID',
      );
    });
  });
}

conformance('LanceDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vectors-'));
  const index = lanceIndex(join(folder, 'lancedb'), join(folder, 'lanes'));
  const end = async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { index, end };
});

conformance('Qdrant', async function () {
  const apiKey = config.QDRANT_API_KEY;
  if (config.QDRANT_URL)
    return { index: qdrantIndex({ url: config.QDRANT_URL, apiKey, prefix: 'suite' }), end: async () => {} };
  try {
    const shim = await startQdrantShim();
    return { index: qdrantIndex({ url: shim.url }), end: shim.stop };
  } catch (error) {
    console.log(`      not run: the Qdrant engine could not be had (${String(error).split('\n')[0]})`);
    return this.skip();
  }
});
