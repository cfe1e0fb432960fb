import { expect } from 'chai';
import { ulid } from 'ulid';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { allIds, aRow, aSpace, hex, idsOf, vectorOf } from '../../support/chunk-rows.ts';

/** Tests of additions to a chunk index, of removals, and of the separation of namespaces. */
export function storageTests(index: () => ChunkIndex): void {
  it('a chunk index is ready and has a type', async () => {
    await index().ready();
    expect(index().type).to.be.a('string').that.is.not.empty;
  });

  it('the identity of a chunk index, an id stored with its data, stays the same when rows are added and dropped', async () => {
    const identity = await index().identity();
    const space = aSpace();
    await index().add(space, [aRow('word')]);
    await index().dropProject(space.project);
    expect(await index().identity())
      .to.equal(identity)
      .and.to.have.length.above(20);
  });

  it('a chunk index contains an id once, however many times the id is added', async () => {
    const space = aSpace();
    const rows = Array.from({ length: 3 }, (_, i) => aRow(`widget ${i}`, { vector: vectorOf(1, i, 0, 0) }));
    for (let time = 0; time < 4; time += 1) await index().add(space, rows);
    const readIds = async () => {
      const { text, vector } = await index().search(space, { text: 'widget', vector: vectorOf(1, 0, 0, 0), limit: 3 });
      expect(idsOf(text)).to.have.members(idsOf(rows));
      expect(idsOf(vector)).to.deep.equal(idsOf(rows));
      expect(await allIds(index(), space))
        .to.have.members(idsOf(rows))
        .and.to.have.length(3);
    };
    await readIds();
    await index().maintain(space);
    await readIds();
  });

  it('a chunk index adds vectors to existing rows, even in a namespace that had no vectors', async () => {
    const row = aRow('cancel the subscription');
    for (const early of [4, null]) {
      const space = aSpace();
      await index().add({ ...space, dimension: early }, [row]);
      expect(
        (await index().search(space, { text: 'cancel', vector: vectorOf(1, 0, 0, 0), limit: 3 })).vector,
      ).to.deep.equal([]);
      await index().add(space, [{ ...row, vector: vectorOf(1, 0, 0, 0) }]);
      const { text, vector } = await index().search(space, { text: 'cancel', vector: vectorOf(1, 0, 0, 0), limit: 3 });
      expect([idsOf(text), idsOf(vector)]).to.deep.equal([[row.id], [row.id]]);
      expect(await allIds(index(), space)).to.deep.equal([row.id]);
    }
  });

  it('a chunk index accepts vectors of a second dimension', async () => {
    const space = aSpace();
    const row = aRow('billing');
    await index().add(space, [{ ...row, vector: vectorOf(1, 0, 0, 0) }]);
    const other = { ...space, dimension: 3 };
    await index().add(other, [{ ...row, vector: vectorOf(0, 1, 0) }]);
    expect(idsOf((await index().search(other, { vector: vectorOf(0, 1, 0), limit: 3 })).vector)).to.deep.equal([
      row.id,
    ]);
    await index().drop(other);
    expect(await allIds(index(), space)).to.deep.equal([]);
  });

  it('a chunk index removes the rows of the given attempts', async () => {
    const space = aSpace();
    const [removed, kept] = [ulid(), ulid()];
    const rows = [removed, kept, removed].map((attemptId) =>
      aRow('agent', { attemptId, vector: vectorOf(1, 0, 0, 0) }),
    );
    await index().add(space, rows);
    await index().removeAttempts(space, [removed, ulid()]);
    await index().removeAttempts(space, []);
    const { text, vector } = await index().search(space, { text: 'agent', vector: vectorOf(1, 0, 0, 0), limit: 5 });
    expect([idsOf(text), idsOf(vector)]).to.deep.equal([[rows[1]?.id], [rows[1]?.id]]);
    expect(await allIds(index(), space)).to.deep.equal([rows[1]?.id]);
  });

  it('a chunk index lists every id, even of more chunks than Qdrant returns at once (1,000)', async () => {
    const space = aSpace({ dimension: null });
    const rows = Array.from({ length: 1_100 }, (_, i) => aRow(`row ${i}`));
    await Promise.all([index().add(space, rows.slice(0, 300)), index().add(space, rows.slice(300))]);
    const ids = await allIds(index(), space);
    expect(ids).to.have.length(1_100);
    expect(new Set(ids)).to.deep.equal(new Set(idsOf(rows)));
  });

  it('a chunk index returns nothing for a namespace that was never filled', async () => {
    const space = aSpace();
    await index().removeAttempts(space, [ulid()]);
    await index().drop(space);
    await index().maintain(space);
    expect(await index().search(space, { text: 'a word', vector: vectorOf(1, 0, 0, 0), limit: 5 })).to.deep.equal({
      text: [],
      vector: [],
    });
    expect(await allIds(index(), space)).to.deep.equal([]);
  });

  it('a chunk index separates projects whose namespaces have the same id', async () => {
    const mine = aSpace();
    const theirs = { ...mine, project: hex(24) };
    const [secret, own] = [
      aRow('secret word', { vector: vectorOf(1, 0, 0, 0) }),
      aRow('own word', { vector: vectorOf(1, 0, 0, 0) }),
    ];
    await index().add(theirs, [secret]);
    expect(await allIds(index(), mine)).to.deep.equal([]);
    await index().add(mine, [own]);
    const { text, vector } = await index().search(mine, { text: 'word', vector: vectorOf(1, 0, 0, 0), limit: 9 });
    expect([idsOf(text), idsOf(vector)]).to.deep.equal([[own.id], [own.id]]);
    await index().removeAttempts(mine, [secret.attemptId]);
    await index().dropProject(mine.project);
    expect(await allIds(index(), theirs)).to.deep.equal([secret.id]);
  });

  it('a chunk index drops a namespace or a project and can be filled again', async () => {
    const space = aSpace();
    const sibling = { ...space, namespace: hex(24) };
    await Promise.all([index().add(space, [aRow('one')]), index().add(sibling, [aRow('two')])]);
    await index().drop(space);
    expect([await allIds(index(), space), (await allIds(index(), sibling)).length]).to.deep.equal([[], 1]);
    const again = aRow('three', { vector: vectorOf(1, 0, 0, 0) });
    await index().add(space, [again]);
    expect(idsOf((await index().search(space, { text: 'three', limit: 2 })).text)).to.deep.equal([again.id]);
    await index().dropProject(space.project);
    expect([await allIds(index(), space), await allIds(index(), sibling)]).to.deep.equal([[], []]);
  });
}
