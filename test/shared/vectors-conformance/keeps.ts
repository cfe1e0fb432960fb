import { expect } from 'chai';
import { ulid } from 'ulid';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { aRow, aSpace, allIds, at, hex, idsOf } from '../../support/chunk-rows.ts';

/** What stays, goes, and stays apart. */
export function keeps(index: () => ChunkIndex): void {
  it('is ready and says what it is', async () => {
    await index().ready();
    expect(index().type).to.be.a('string').that.is.not.empty;
  });

  it('has an identity that outlives what is added and dropped', async () => {
    const identity = await index().identity();
    const space = aSpace();
    await index().add(space, [aRow('word')]);
    await index().dropProject(space.project);
    expect(await index().identity())
      .to.equal(identity)
      .and.to.have.length.above(20);
  });

  it('shows an id once, however often it was added', async () => {
    const space = aSpace();
    const rows = Array.from({ length: 3 }, (_, i) => aRow(`widget ${i}`, { vector: at(1, i, 0, 0) }));
    for (let time = 0; time < 4; time += 1) await index().add(space, rows);
    const look = async () => {
      const { text, vector } = await index().search(space, { text: 'widget', vector: at(1, 0, 0, 0), limit: 3 });
      expect(idsOf(text)).to.have.members(idsOf(rows));
      expect(idsOf(vector)).to.deep.equal(idsOf(rows));
      expect(await allIds(index(), space))
        .to.have.members(idsOf(rows))
        .and.to.have.length(3);
    };
    await look();
    await index().maintain(space);
    await look();
  });

  it('completes rows whose vectors come late, from a namespace without a model too', async () => {
    const row = aRow('cancel the subscription');
    for (const early of [4, null]) {
      const space = aSpace();
      await index().add({ ...space, dimension: early }, [row]);
      expect((await index().search(space, { text: 'cancel', vector: at(1, 0, 0, 0), limit: 3 })).vector).to.deep.equal(
        [],
      );
      await index().add(space, [{ ...row, vector: at(1, 0, 0, 0) }]);
      const { text, vector } = await index().search(space, { text: 'cancel', vector: at(1, 0, 0, 0), limit: 3 });
      expect([idsOf(text), idsOf(vector)]).to.deep.equal([[row.id], [row.id]]);
      expect(await allIds(index(), space)).to.deep.equal([row.id]);
    }
  });

  it('takes vectors of another model beside the old ones', async () => {
    const space = aSpace();
    const row = aRow('billing');
    await index().add(space, [{ ...row, vector: at(1, 0, 0, 0) }]);
    const other = { ...space, dimension: 3 };
    await index().add(other, [{ ...row, vector: at(0, 1, 0) }]);
    expect(idsOf((await index().search(other, { vector: at(0, 1, 0), limit: 3 })).vector)).to.deep.equal([row.id]);
    await index().drop(other);
    expect(await allIds(index(), space)).to.deep.equal([]);
  });

  it('removes the rows of some attempts', async () => {
    const space = aSpace();
    const [old, kept] = [ulid(), ulid()];
    const rows = [old, kept, old].map((attempt) => aRow('agent', { attempt, vector: at(1, 0, 0, 0) }));
    await index().add(space, rows);
    await index().removeAttempts(space, [old, ulid()]);
    await index().removeAttempts(space, []);
    const { text, vector } = await index().search(space, { text: 'agent', vector: at(1, 0, 0, 0), limit: 5 });
    expect([idsOf(text), idsOf(vector)]).to.deep.equal([[rows[1]?.id], [rows[1]?.id]]);
    expect(await allIds(index(), space)).to.deep.equal([rows[1]?.id]);
  });

  it('gives every id for reconciliation, over many pages', async () => {
    const space = aSpace({ dimension: null });
    const rows = Array.from({ length: 1_100 }, (_, i) => aRow(`row ${i}`));
    await Promise.all([index().add(space, rows.slice(0, 300)), index().add(space, rows.slice(300))]);
    const ids = await allIds(index(), space);
    expect(ids).to.have.length(1_100);
    expect(new Set(ids)).to.deep.equal(new Set(idsOf(rows)));
  });

  it('knows nothing of a namespace that was never filled', async () => {
    const space = aSpace();
    await index().removeAttempts(space, [ulid()]);
    await index().drop(space);
    await index().maintain(space);
    expect(await index().search(space, { text: 'a word', vector: at(1, 0, 0, 0), limit: 5 })).to.deep.equal({
      text: [],
      vector: [],
    });
    expect(await allIds(index(), space)).to.deep.equal([]);
  });

  it('keeps two projects apart, though a namespace has the same id', async () => {
    const mine = aSpace();
    const theirs = { ...mine, project: hex(24) };
    const [secret, own] = [
      aRow('secret word', { vector: at(1, 0, 0, 0) }),
      aRow('own word', { vector: at(1, 0, 0, 0) }),
    ];
    await index().add(theirs, [secret]);
    expect(await allIds(index(), mine)).to.deep.equal([]);
    await index().add(mine, [own]);
    const { text, vector } = await index().search(mine, { text: 'word', vector: at(1, 0, 0, 0), limit: 9 });
    expect([idsOf(text), idsOf(vector)]).to.deep.equal([[own.id], [own.id]]);
    await index().removeAttempts(mine, [secret.attempt]);
    await index().dropProject(mine.project);
    expect(await allIds(index(), theirs)).to.deep.equal([secret.id]);
  });

  it('drops a namespace, a project, and can be filled again', async () => {
    const space = aSpace();
    const sibling = { ...space, namespace: hex(24) };
    await Promise.all([index().add(space, [aRow('one')]), index().add(sibling, [aRow('two')])]);
    await index().drop(space);
    expect([await allIds(index(), space), (await allIds(index(), sibling)).length]).to.deep.equal([[], 1]);
    const again = aRow('three', { vector: at(1, 0, 0, 0) });
    await index().add(space, [again]);
    expect(idsOf((await index().search(space, { text: 'three', limit: 2 })).text)).to.deep.equal([again.id]);
    await index().dropProject(space.project);
    expect([await allIds(index(), space), await allIds(index(), sibling)]).to.deep.equal([[], []]);
  });
}
