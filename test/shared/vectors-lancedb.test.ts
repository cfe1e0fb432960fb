import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { expect } from 'chai';
import { ulid } from 'ulid';
import { type ChunkIndex, type Hit, IndexLost, type Space } from '#shared/vectors/index.ts';
import { lanceIndex } from '#shared/vectors/lancedb.ts';
import { aRow, aSpace, allIds, at, idsOf } from '../support/chunk-rows.ts';
import { Writer } from '../support/writer.ts';

const countsOf = (hits: Hit[]) => {
  const counts = new Map<string, number>();
  for (const { attempt } of hits) counts.set(attempt, (counts.get(attempt) ?? 0) + 1);
  return counts;
};

/** How many rows of each attempt are found by words, and by vectors. */
async function attemptsIn(index: ChunkIndex, space: Space) {
  const { text, vector } = await index.search(space, { text: 'word', vector: at(1, 0, 0, 0), limit: 10_000 });
  return { text: countsOf(text), vector: countsOf(vector) };
}

describe('LanceDB as index of chunks', function () {
  this.timeout(20_000);
  let folder: string;
  let root: string;
  let locks: string;
  let index: ChunkIndex;

  const pathOf = ({ project, namespace, dimension }: Space) =>
    join(root, project, `${namespace}_${dimension ?? 'text'}.lance`);
  const versionsOf = async (space: Space) => {
    const table = await (await connect(join(root, space.project))).openTable(
      `${space.namespace}_${space.dimension ?? 'text'}`,
    );
    return table.version();
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vectors-'));
    [root, locks] = [join(folder, 'lancedb'), join(folder, 'lanes')];
    index = lanceIndex(root, locks);
  });
  afterEach(async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function lossOf(work: Promise<unknown>): Promise<unknown> {
    try {
      await work;
    } catch (error) {
      return error;
    }
    return undefined;
  }

  it('loses nothing when four processes add and remove at once', async () => {
    const space = aSpace();
    const writers = Array.from({ length: 4 }, () => new Writer(root, locks, space.project, space.namespace, 24, 10));
    await Promise.all(writers.map(({ exited }) => exited));
    const kept = writers.flatMap((writer) => writer.kept());
    expect(kept).to.have.length(4 * 16);
    const all = new Map(kept.map((attempt) => [attempt, 5]));
    expect(await attemptsIn(index, space)).to.deep.equal({ text: all, vector: all });
  });

  it('F8: keeps every acknowledged batch of a writer that is killed while it adds, removes and optimises', async () => {
    const space = aSpace();
    const writers: Writer[] = [];
    for (const lines of [7, 18, 33]) {
      const writer = new Writer(root, locks, space.project, space.namespace, 10_000, 4);
      await writer.hasWritten(lines);
      writer.child.kill('SIGKILL');
      await writer.exited;
      writers.push(writer);
    }
    for (const found of Object.values(await attemptsIn(index, space))) {
      for (const attempt of writers.flatMap((writer) => writer.kept())) expect(found.get(attempt)).to.equal(5);
      for (const attempt of writers.flatMap((writer) => writer.removed())) expect(found.has(attempt)).to.equal(false);
    }
    await index.add(space, [aRow('still writable')]);
    await index.maintain(space);
  });

  it('F8: says that a namespace is lost when the folder is deleted under it, and fills it again', async () => {
    const space = aSpace();
    const row = aRow('word', { vector: at(1, 0, 0, 0) });
    const uses = [
      () => index.add(space, [row]),
      () => index.search(space, { text: 'word', limit: 1 }),
      () => index.search(space, { vector: at(1, 0, 0, 0), limit: 1 }),
    ];
    for (const use of uses) {
      await index.add(space, [row]);
      await rm(root, { recursive: true });
      const loss = await lossOf(use());
      expect(loss).to.be.instanceOf(IndexLost).and.include({ project: space.project, namespace: space.namespace });
      await index.drop(space);
      await index.add(space, [row]);
      const { text, vector } = await index.search(space, { text: 'word', vector: at(1, 0, 0, 0), limit: 2 });
      expect([idsOf(text), idsOf(vector)]).to.deep.equal([[row.id], [row.id]]);
    }
  });

  it('F8: has one identity for all processes, and another one when the folder was deleted', async () => {
    const other = lanceIndex(root, locks);
    const identities = await Promise.all([index, other, index, other].map((one) => one.identity()));
    expect(new Set(identities)).to.have.length(1);
    await rm(root, { recursive: true });
    expect(await index.identity()).not.to.equal(identities[0]);
    expect(await other.identity()).to.equal(await index.identity());
  });

  it('F8: is empty when it gets a new identity, since whatever deletes the folder may not have come to its tables', async () => {
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
    it(`F8: says that a namespace is lost when its ${part} are gone`, async () => {
      const space = aSpace({ dimension: null });
      await index.add(space, [aRow('word')]);
      await index.maintain(space);
      await rm(join(pathOf(space), part), { recursive: true });
      const fresh = lanceIndex(root, locks);
      expect(await lossOf(fresh.search(space, { text: 'word', limit: 1 }))).to.be.instanceOf(IndexLost);
      expect(await readdir(join(root, space.project))).to.deep.equal([]);
      await fresh.close();
    });
  }

  it('takes over a table whose creation was cut short', async () => {
    const space = aSpace();
    await mkdir(join(pathOf(space), 'data'), { recursive: true });
    await index.add(space, [aRow('word', { vector: at(1, 0, 0, 0) })]);
    expect((await index.search(space, { vector: at(1, 0, 0, 0), limit: 1 })).vector).to.have.length(1);
  });

  it('may be asked while the namespace is just being made', async () => {
    const others = Array.from({ length: 4 }, () => lanceIndex(root, locks));
    for (let time = 0; time < 5; time += 1) {
      const space = aSpace();
      const row = aRow('word', { vector: at(1, 0, 0, 0) });
      const question = { text: 'word', vector: at(1, 0, 0, 0), limit: 2 };
      await Promise.all(others.map((other, i) => (i % 2 ? other.add(space, [row]) : other.search(space, question))));
      const { text, vector } = await index.search(space, question);
      expect([idsOf(text), idsOf(vector)]).to.deep.equal([[row.id], [row.id]]);
    }
    await Promise.all(others.map((other) => other.close()));
  });

  it('sees at once what another process wrote, dropped and wrote again', async () => {
    const space = aSpace({ dimension: null });
    const other = lanceIndex(root, locks);
    const look = async () => idsOf((await index.search(space, { text: 'word', limit: 5 })).text);
    const [first, second] = [aRow('word one'), aRow('word two')];
    expect(await look()).to.deep.equal([]);
    await other.add(space, [first]);
    expect(await look()).to.deep.equal([first.id]);
    await other.drop(space);
    await other.add(space, [second]);
    expect(await look()).to.deep.equal([second.id]);
    await other.close();
  });

  it('joins what concurrent callers add into a few commits', async () => {
    const space = aSpace({ dimension: null });
    await index.add(space, [aRow('the first')]);
    const before = await versionsOf(space);
    await Promise.all(Array.from({ length: 50 }, (_, i) => index.add(space, [aRow(`word ${i}`)])));
    expect((await versionsOf(space)) - before).to.be.within(1, 3);
    expect(await allIds(index, space)).to.have.length(51);
  });

  it('tidies by itself, and finds rows before and after', async () => {
    const space = aSpace();
    for (let commit = 0; commit < 70; commit += 1) {
      await index.add(space, [aRow(`word ${commit}`, { vector: at(1, commit, 0, 0), attempt: ulid() })]);
    }
    expect((await attemptsIn(index, space)).text.size).to.equal(70);
    await index.close();
    const files = await readdir(join(pathOf({ ...space, dimension: null }), '_indices'));
    expect(files.length).to.be.above(1);
    index = lanceIndex(root, locks);
    expect((await attemptsIn(index, space)).text.size).to.equal(70);
  });

  it('finds through the vector index of a large namespace, and what came after it', async () => {
    const space = aSpace();
    const large = lanceIndex(root, locks, { indexedFrom: 500 });
    const around = (i: number) => at(Math.cos(i), Math.sin(i), Math.cos(i * 0.37), 0);
    const rows = Array.from({ length: 600 }, (_, i) => aRow('word', { vector: around(i) }));
    const late = aRow('word', { vector: at(0, 0, 0, 1) });
    await large.add(space, rows);
    await large.maintain(space);
    await large.add(space, [late]);
    const nearest = async (vector: Float32Array) => (await large.search(space, { vector, limit: 1 })).vector[0]?.id;
    for (const i of [0, 377, 599]) expect(await nearest(around(i))).to.equal(rows[i]?.id);
    expect(await nearest(at(0, 0, 0.1, 1))).to.equal(late.id);
    const table = await (await connect(join(root, space.project))).openTable(`${space.namespace}_4`);
    expect((await table.listIndices()).map(({ indexType }) => indexType)).to.deep.equal(['IvfHnswSq']);
    await large.close();
  });

  it('keeps few tables open, and works with many', async () => {
    const few = lanceIndex(root, locks, { openTables: 2 });
    const spaces = Array.from({ length: 6 }, () => aSpace({ dimension: null }));
    const rows = await Promise.all(
      spaces.map(async (space) => {
        const row = aRow('word');
        await few.add(space, [row]);
        return row.id;
      }),
    );
    const found = await Promise.all(spaces.map((space) => few.search(space, { text: 'word', limit: 2 })));
    expect(found.flatMap(({ text }) => idsOf(text))).to.deep.equal(rows);
    await few.close();
  });
});
