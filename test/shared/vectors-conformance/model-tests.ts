import { expect } from 'chai';
import { ulid } from 'ulid';
import type { ChunkIndex, IndexSpace } from '#shared/vectors/index.ts';
import { allIds, aRow, aSpace, idsOf, vectorOf } from '../../support/chunk-rows.ts';

/** Tests of the vectors of several embedding models in one namespace. */
export function modelTests(index: () => ChunkIndex): void {
  const nearest = async (space: IndexSpace, vector: Float32Array) =>
    idsOf((await index().search(space, { vector, limit: 5 })).vector);

  /**
   * Adds two chunks with vectors of the model `old`; the vector of the first chunk is nearest to `x`. `nextRows` has
   * their vectors of the model `next`, for tests to add; of these, the vector of the second chunk is nearest to `newX`.
   */
  const aNamespaceOfTwoModels = async (dimension = 4) => {
    const old = aSpace({ model: 'old' });
    const next = { ...old, model: 'next', dimension };
    const [x, y] = [vectorOf(1, 0, 0, 0), vectorOf(0, 1, 0, 0)];
    const rows = [aRow('first words', { vector: x }), aRow('second words', { vector: y })];
    await index().add(old, rows);
    const [newX, newY] = [
      Float32Array.from({ length: dimension }, (_, i) => Number(i === 0)),
      new Float32Array(dimension),
    ];
    newY[1] = 1;
    const nextRows = rows.map((row, i) => ({ ...row, vector: i === 0 ? newY : newX }));
    return { old, next, rows, nextRows, x, newX, ids: idsOf(rows) };
  };

  for (const dimension of [4, 3])
    it(`a chunk index separates the vectors of two models with the dimensions 4 and ${dimension}`, async () => {
      const { old, next, nextRows, x, newX, ids } = await aNamespaceOfTwoModels(dimension);
      expect(await nearest(next, newX)).to.deep.equal([]);
      await index().addVectors(next, nextRows.slice(1));
      expect(await nearest(next, newX)).to.deep.equal([ids[1]]);
      await index().addVectors(next, nextRows);
      expect(await nearest(old, x)).to.deep.equal(ids);
      expect(await nearest(next, newX)).to.deep.equal(ids.toReversed());
      expect(await allIds(index(), old))
        .to.have.members(ids)
        .and.to.have.length(2);
    });

  it('a chunk index drops the vectors of one model, and keeps the rows with their texts, and the vectors of the other model', async () => {
    const { old, next, nextRows, x, newX, ids } = await aNamespaceOfTwoModels();
    await index().addVectors(next, nextRows);
    await index().dropVectors(old);
    await index().dropVectors(old);
    expect(await nearest(old, x)).to.deep.equal([]);
    expect(await nearest(next, newX)).to.deep.equal(ids.toReversed());
    expect(idsOf((await index().search(next, { text: 'words', limit: 5 })).text)).to.have.members(ids);
    expect(await allIds(index(), next)).to.have.members(ids);
    await index().addVectors(old, [aRow('x', { id: ids[0] as string, vector: x })]);
    expect(await nearest(old, x)).to.deep.equal([ids[0]]);
  });

  it('removing an attempt removes the vectors of its chunk for all models', async () => {
    const { old, next, rows, nextRows, x, newX, ids } = await aNamespaceOfTwoModels();
    await index().addVectors(next, nextRows);
    await index().removeAttempts(old, [rows[0]?.attemptId as string]);
    expect(await nearest(old, x)).to.deep.equal([ids[1]]);
    expect(await nearest(next, newX)).to.deep.equal([ids[1]]);
  });

  it('a vector of a removed chunk does not prevent the addition of the other vectors in the same call', async () => {
    const { old, next, rows, nextRows, newX, ids } = await aNamespaceOfTwoModels();
    await index().removeAttempts(old, [rows[0]?.attemptId as string]);
    await index().addVectors(next, nextRows);
    expect(await nearest(next, newX)).to.include(ids[1]);
    await index().removeAttempts(next, [rows[0]?.attemptId as string]);
    expect(await allIds(index(), next)).to.deep.equal([ids[1]]);
  });

  it('addVectors with a row that has no vector, or dropVectors without a model, changes nothing', async () => {
    const space = aSpace({ dimension: null });
    const row = aRow('words');
    await index().add(space, [row]);
    await index().addVectors({ ...space, dimension: 4, model: 'next' }, [row]);
    await index().dropVectors(space);
    expect(await allIds(index(), space)).to.deep.equal([row.id]);
  });

  it('the entries of a chunk index name the attempt of each chunk', async () => {
    const space = aSpace();
    const attempts = [ulid(), ulid()];
    const rows = attempts.map((attemptId) => aRow('words', { attemptId, vector: vectorOf(1, 0, 0, 0) }));
    await index().add(space, rows);
    const entries = await Array.fromAsync(index().entries(space));
    expect(entries).to.have.deep.members(rows.map(({ id, attemptId }) => ({ id, attemptId })));
  });

  it('a query by text and vector returns the same hits and scores as two separate queries', async () => {
    const { old, x } = await aNamespaceOfTwoModels();
    const text = 'first';
    const both = await index().search(old, { text, vector: x, limit: 5 });
    expect(both.text).to.deep.equal((await index().search(old, { text, limit: 5 })).text);
    expect(both.vector).to.deep.equal((await index().search(old, { vector: x, limit: 5 })).vector);
    expect([both.text.length, both.vector.length]).to.deep.equal([1, 2]);
  });
}
