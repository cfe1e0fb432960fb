import { expect } from 'chai';
import { ulid } from 'ulid';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { aRow, aSpace, vectorOf } from '../../support/chunk-rows.ts';

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return (error as { status?: number }).status;
  }
}

/** Tests of a store that cannot be used: a server that cannot be reached, or a folder that cannot be read. */
export function deadStoreTests(openDead: () => Promise<ChunkIndex>): void {
  it('every method of a chunk index whose store is unavailable fails with 503', async () => {
    const index = await openDead();
    const space = aSpace({ model: 'model' });
    const rows = [aRow('word', { vector: vectorOf(1, 0, 0, 0) })];
    const calls: Record<string, () => Promise<unknown>> = {
      add: () => index.add(space, rows),
      addVectors: () => index.addVectors(space, rows),
      dropVectors: () => index.dropVectors(space),
      removeAttempts: () => index.removeAttempts(space, [ulid()]),
      drop: () => index.drop(space),
      dropProject: () => index.dropProject(space.project),
      'search by text': () => index.search(space, { text: 'word', limit: 1 }),
      'search by vector': () => index.search(space, { vector: vectorOf(1, 0, 0, 0), limit: 1 }),
      countMatches: () => index.countMatches(space, { text: 'word', limit: 1 }),
      entries: () => Array.fromAsync(index.entries(space)),
      identity: () => index.identity(),
      ready: () => index.ready(),
    };
    const outcomes = Object.entries(calls).map(async ([name, call]) => [name, await outcomeOf(call())]);
    expect(Object.fromEntries(await Promise.all(outcomes))).to.deep.equal(
      Object.fromEntries(Object.keys(calls).map((name) => [name, 503])),
    );
    await index.close();
  });
}
