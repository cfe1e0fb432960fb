/** The sweep of files whose removal fails: the storage rejects their keys, which lie outside its folder. */
import { expect } from 'chai';
import { sweepFiles } from '#shared/domain/files/remove-file.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { hex } from '../support/chunk-rows.ts';
import { times } from '../support/fleet-fixture.ts';

/** The number of files that the sweep reads at once. */
const BATCH_SIZE = 200;

const FILE_FIELDS = { kind: 'asset' as const, name: 'a.png', type: 'image/png', size: 1, hash: 'a', createdBy: 'a' };

const aFile = (id_project: string, key: string, more: object) => ({
  ...FILE_FIELDS,
  id_project,
  key,
  path: key,
  ...more,
});

describe('Sweep of files', () => {
  const id_project = hex(24);
  const count = (filter: object) => StoredFile.countDocuments({ id_project, ...filter });
  const isDue = () => ({ nextSweepAt: { $lte: new Date() } });
  const sweep = () => sweepFiles(() => false);

  afterEach(() => StoredFile.deleteMany({ id_project }));

  it('a batch of files whose removal fails does not keep later files waiting', async () => {
    const [first, later] = [new Date(0), new Date(1)];
    const failing = times(BATCH_SIZE, (index) =>
      aFile(id_project, `../${id_project}-${index}`, { status: 'deleting', nextSweepAt: first }),
    );
    const thumbnail = { status: 'pending' };
    await StoredFile.insertMany([
      ...failing,
      aFile(id_project, `${id_project}/deleted`, { status: 'deleting', nextSweepAt: later }),
      aFile(id_project, `${id_project}/image`, { status: 'stored', thumbnail, nextSweepAt: later }),
    ]);
    for (const _ of times(2, Number)) await sweep();
    expect(await count({ status: 'deleting' }), 'files to be deleted').to.equal(BATCH_SIZE);
    expect(await count({ status: 'stored', ...isDue() }), 'images without a thumbnail job').to.equal(0);
  });

  it('a sweep stops when files whose removal fails have taken too long, and the next sweep begins with the other files', async () => {
    const past = new Date(0);
    const failing = times(3, (index) =>
      aFile(id_project, `../${id_project}-${index}`, { status: 'deleting', nextSweepAt: past }),
    );
    await StoredFile.insertMany([
      ...failing,
      aFile(id_project, `${id_project}/deleted`, { status: 'deleting', nextSweepAt: new Date(1) }),
    ]);
    for (const tried of [1, 2, 3]) {
      await sweepFiles(() => false, 0);
      expect([await count({ failedSweeps: 1 }), await count({})]).to.deep.equal([tried, 4]);
    }
    await sweepFiles(() => false, 0);
    expect(await count({})).to.equal(3);
  });

  it('a successful sweep of a file resets the number of its failed sweeps', async () => {
    const past = { nextSweepAt: new Date(0) };
    const image = { status: 'stored', thumbnail: { status: 'pending' }, failedSweeps: 3, ...past };
    await StoredFile.create(aFile(id_project, `../${id_project}`, image));
    await sweep();
    await StoredFile.updateOne({ id_project }, { $set: { status: 'deleting', ...past } });
    await sweep();
    expect(await count({ failedSweeps: 1 })).to.equal(1);
  });

  it('a file whose removal fails is due again later, and is removed once the storage accepts its key', async () => {
    const past = { nextSweepAt: new Date(0) };
    await StoredFile.create(aFile(id_project, `../${id_project}`, { status: 'deleting', ...past }));
    for (const failures of [1, 2, 3]) {
      await StoredFile.updateOne({ id_project }, { $set: past });
      await sweep();
      expect([await count({ failedSweeps: failures }), await count(isDue())]).to.deep.equal([1, 0]);
    }
    await StoredFile.updateOne({ id_project }, { $set: { ...past, key: `${id_project}/a` } });
    await sweep();
    expect(await count({})).to.equal(0);
  });
});
