import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { expect } from 'chai';
import { ulid } from 'ulid';
import { type ChunkHit, type ChunkIndex, IndexMissingError, type IndexSpace } from '#shared/vectors/index.ts';
import { lanceIndex } from '#shared/vectors/lance-index.ts';
import { allIds, aRow, aSpace, idsOf, vectorOf } from '../support/chunk-rows.ts';
import { ChunkWriter } from '../support/chunk-writer.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';

/** A few commits more than the number after which a table with few rows is compacted. */
const COMMITS = 60;

const countsOf = (hits: ChunkHit[]) => {
  const counts = new Map<string, number>();
  for (const { attemptId } of hits) counts.set(attemptId, (counts.get(attemptId) ?? 0) + 1);
  return counts;
};

/** Counts, for each attempt, the rows that a search finds by words and those that it finds by vectors. */
async function attemptsIn(index: ChunkIndex, space: IndexSpace) {
  const { text, vector } = await index.search(space, { text: 'word', vector: vectorOf(1, 0, 0, 0), limit: 10_000 });
  return { text: countsOf(text), vector: countsOf(vector) };
}

describe('LanceDB chunk index', () => {
  let folder: string;
  let root: string;
  let locks: string;
  let index: ChunkIndex;

  const pathOf = ({ project, namespace, dimension }: IndexSpace) =>
    join(root, project, `${namespace}_${dimension ?? 'text'}.lance`);
  const versionsOf = async (space: IndexSpace) => {
    const table = await (await connect(join(root, space.project))).openTable(
      `${space.namespace}_${space.dimension ?? 'text'}`,
    );
    return table.version();
  };

  beforeEach(async () => {
    folder = await aTemporaryFolder('vectors-');
    [root, locks] = [join(folder, 'lancedb'), join(folder, 'lanes')];
    index = lanceIndex(root, locks);
  });
  afterEach(async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function failureOf(work: Promise<unknown>): Promise<unknown> {
    try {
      await work;
    } catch (error) {
      return error;
    }
    return undefined;
  }

  it('LanceDB loses no rows when three processes add and remove rows concurrently', async () => {
    const space = aSpace();
    const writers = Array.from(
      { length: 3 },
      () => new ChunkWriter(root, locks, space.project, space.namespace, 12, 5),
    );
    await Promise.all(writers.map(({ exited }) => exited));
    const keptAttempts = writers.flatMap((writer) => writer.keptAttempts());
    expect(keptAttempts).to.have.length(3 * 8);
    const all = new Map(keptAttempts.map((attempt) => [attempt, 5]));
    expect(await attemptsIn(index, space)).to.deep.equal({ text: all, vector: all });
  });

  it('LanceDB keeps every acknowledged batch of a writer that is killed while it adds and removes rows and optimizes the index', async () => {
    const space = aSpace();
    const writers: ChunkWriter[] = [];
    for (const lines of [7, 18]) {
      const writer = new ChunkWriter(root, locks, space.project, space.namespace, 10_000, 4);
      await writer.waitForLines(lines);
      writer.child.kill('SIGKILL');
      await writer.exited;
      writers.push(writer);
    }
    for (const counts of Object.values(await attemptsIn(index, space))) {
      for (const attempt of writers.flatMap((writer) => writer.keptAttempts())) expect(counts.get(attempt)).to.equal(5);
      for (const attempt of writers.flatMap((writer) => writer.removedAttempts()))
        expect(counts.has(attempt)).to.equal(false);
    }
    await index.add(space, [aRow('still writable')]);
    await index.maintain(space);
  });

  it('LanceDB reports a missing index after its folder has been deleted, and can be filled again', async () => {
    const space = aSpace();
    const row = aRow('word', { vector: vectorOf(1, 0, 0, 0) });
    const uses = [
      () => index.add(space, [row]),
      () => index.search(space, { text: 'word', limit: 1 }),
      () => index.search(space, { vector: vectorOf(1, 0, 0, 0), limit: 1 }),
    ];
    for (const use of uses) {
      await index.add(space, [row]);
      await rm(root, { recursive: true });
      const failure = await failureOf(use());
      expect(failure)
        .to.be.instanceOf(IndexMissingError)
        .and.include({ project: space.project, namespace: space.namespace });
      await index.drop(space);
      await index.add(space, [row]);
      const { text, vector } = await index.search(space, { text: 'word', vector: vectorOf(1, 0, 0, 0), limit: 2 });
      expect([idsOf(text), idsOf(vector)]).to.deep.equal([[row.id], [row.id]]);
    }
  });

  it('LanceDB has one identity (an id stored with its data) for all index objects, and a new identity after its folder has been deleted', async () => {
    const other = lanceIndex(root, locks);
    const identities = await Promise.all([index, other, index, other].map((one) => one.identity()));
    expect(new Set(identities)).to.have.length(1);
    await rm(root, { recursive: true });
    expect(await index.identity()).not.to.equal(identities[0]);
    expect(await other.identity()).to.equal(await index.identity());
  });

  it('LanceDB removes all tables when its identity changes', async () => {
    const [space, row] = [aSpace(), aRow('word')];
    const earlier = await index.identity();
    await index.add(space, [row]);
    await rm(join(root, 'identity'));
    const others = [index, lanceIndex(root, locks), lanceIndex(root, locks)];
    const identities = await Promise.all(others.map((one) => one.identity()));
    expect(new Set([earlier, ...identities])).to.have.length(2);
    expect(await readdir(root)).to.deep.equal(['identity']);
    const fresh = lanceIndex(root, locks);
    expect((await fresh.search(space, { text: 'word', limit: 1 })).text).to.deep.equal([]);
  });

  for (const part of ['data', '_versions', '_indices']) {
    it(`LanceDB reports a missing index after the "${part}" folder of the table has been deleted`, async () => {
      const space = aSpace({ dimension: null });
      await index.add(space, [aRow('word')]);
      await index.maintain(space);
      await rm(join(pathOf(space), part), { recursive: true });
      const fresh = lanceIndex(root, locks);
      expect(await failureOf(fresh.search(space, { text: 'word', limit: 1 }))).to.be.instanceOf(IndexMissingError);
      expect(await readdir(join(root, space.project))).to.deep.equal([]);
      await fresh.close();
    });
  }

  it('LanceDB completes a table whose creation was interrupted', async () => {
    const space = aSpace();
    await mkdir(join(pathOf(space), 'data'), { recursive: true });
    await index.add(space, [aRow('word', { vector: vectorOf(1, 0, 0, 0) })]);
    expect((await index.search(space, { vector: vectorOf(1, 0, 0, 0), limit: 1 })).vector).to.have.length(1);
  });

  it('LanceDB can be searched while a namespace is being created', async () => {
    const others = Array.from({ length: 4 }, () => lanceIndex(root, locks));
    for (let time = 0; time < 2; time += 1) {
      const space = aSpace();
      const row = aRow('word', { vector: vectorOf(1, 0, 0, 0) });
      const question = { text: 'word', vector: vectorOf(1, 0, 0, 0), limit: 2 };
      await Promise.all(others.map((other, i) => (i % 2 ? other.add(space, [row]) : other.search(space, question))));
      const { text, vector } = await index.search(space, question);
      expect([idsOf(text), idsOf(vector)]).to.deep.equal([[row.id], [row.id]]);
    }
    await Promise.all(others.map((other) => other.close()));
  });

  it('LanceDB searches immediately reflect rows that another index object adds or drops', async () => {
    const space = aSpace({ dimension: null });
    const other = lanceIndex(root, locks);
    const searchIds = async () => idsOf((await index.search(space, { text: 'word', limit: 5 })).text);
    const [first, second] = [aRow('word one'), aRow('word two')];
    expect(await searchIds()).to.deep.equal([]);
    await other.add(space, [first]);
    expect(await searchIds()).to.deep.equal([first.id]);
    await other.drop(space);
    await other.add(space, [second]);
    expect(await searchIds()).to.deep.equal([second.id]);
    await other.close();
  });

  it('LanceDB does not reuse the result of a full-text search after chunks have been added or removed', async () => {
    const [space, other] = [aSpace(), lanceIndex(root, locks)];
    const found = async () => idsOf((await index.search(space, { text: 'word', limit: 5 })).text).toSorted();
    const [first, second] = [aRow('one word'), aRow('another word')];
    await index.add(space, [first]);
    expect(await found()).to.deep.equal([first.id]);
    await other.add(space, [second]);
    expect(await found()).to.deep.equal([first.id, second.id].toSorted());
    await other.removeAttempts(space, [first.attemptId]);
    expect(await found()).to.deep.equal([second.id]);
    await other.close();
  });

  it('LanceDB joins concurrent additions into at most three commits', async () => {
    const space = aSpace({ dimension: null });
    await index.add(space, [aRow('the first')]);
    const before = await versionsOf(space);
    await Promise.all(Array.from({ length: 50 }, (_, i) => index.add(space, [aRow(`word ${i}`)])));
    expect((await versionsOf(space)) - before).to.be.within(1, 3);
    expect(await allIds(index, space)).to.have.length(51);
  });

  it('LanceDB compacts a table after many commits and finds its rows before and after', async () => {
    const space = aSpace();
    for (let commit = 0; commit < COMMITS; commit += 1) {
      await index.add(space, [aRow(`word ${commit}`, { vector: vectorOf(1, commit, 0, 0), attemptId: ulid() })]);
    }
    expect((await attemptsIn(index, space)).text.size).to.equal(COMMITS);
    await index.close();
    const files = await readdir(join(pathOf({ ...space, dimension: null }), '_indices'));
    expect(files.length).to.be.above(1);
    index = lanceIndex(root, locks);
    expect((await attemptsIn(index, space)).text.size).to.equal(COMMITS);
  });

  it('LanceDB finds rows through the vector index of a large namespace, and rows added after the index was built', async () => {
    const space = aSpace();
    const large = lanceIndex(root, locks, { minRowsForIndex: 500 });
    const vectorAround = (i: number) => vectorOf(Math.cos(i), Math.sin(i), Math.cos(i * 0.37), 0);
    const rows = Array.from({ length: 600 }, (_, i) => aRow('word', { vector: vectorAround(i) }));
    const late = aRow('word', { vector: vectorOf(0, 0, 0, 1) });
    await large.add(space, rows);
    await large.maintain(space);
    await large.add(space, [late]);
    const nearest = async (vector: Float32Array) => (await large.search(space, { vector, limit: 1 })).vector[0]?.id;
    for (const i of [0, 377, 599]) expect(await nearest(vectorAround(i))).to.equal(rows[i]?.id);
    expect(await nearest(vectorOf(0, 0, 0.1, 1))).to.equal(late.id);
    const table = await (await connect(join(root, space.project))).openTable(`${space.namespace}_4`);
    expect((await table.listIndices()).map(({ indexType }) => indexType)).to.deep.equal(['IvfHnswSq']);
    await large.close();
  });

  it('LanceDB works with more tables than it may keep open', async () => {
    const few = lanceIndex(root, locks, { maxOpenTables: 2 });
    const spaces = Array.from({ length: 6 }, () => aSpace({ dimension: null }));
    const rows = await Promise.all(
      spaces.map(async (space) => {
        const row = aRow('word');
        await few.add(space, [row]);
        return row.id;
      }),
    );
    const results = await Promise.all(spaces.map((space) => few.search(space, { text: 'word', limit: 2 })));
    expect(results.flatMap(({ text }) => idsOf(text))).to.deep.equal(rows);
    await few.close();
  });
});
