/** `npm run cli -- files …` */
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdminAction } from '#shared/models/admin-action.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { aCliProcess } from '../support/cli.ts';

describe('npm run cli -- files orphans', () => {
  it('lists files without a record and records without bytes; --delete deletes the files and is recorded', async () => {
    const began = new Date();
    const folder = await mkdtemp(join(tmpdir(), 'orphans-'));
    const id_project = randomBytes(12).toString('hex');
    const keyOf = (name: string) => `uploads/projects/${id_project}/files/u/${name}`;
    const record = (name: string) => ({
      ...{ id_project, kind: 'asset' as const, status: 'stored' as const, name, type: 'text/plain', size: 4 },
      ...{ hash: '0', createdBy: 'test', path: keyOf(name), key: keyOf(name) },
    });
    await StoredFile.create([record('kept.png'), record('missing.txt')]);
    const root = join(folder, `uploads/projects/${id_project}/files/u`);
    await mkdir(root, { recursive: true });
    for (const name of ['kept.png', 'thumbnails_200_200-kept.png', 'orphan.txt', 'thumbnails_200_200-orphan.png'])
      await writeFile(join(root, name), 'text');
    const { cli, close } = await aCliProcess({ FILE_STORAGE: folder });
    const orphans = async (option = '') => {
      const { out } = await cli(`files orphans ${option}`.trim());
      return out.split('\n').filter((line) => line.includes(id_project) || line.includes(' without a record '));
    };
    const listed = await orphans();
    expect(
      listed.filter((line) => line.startsWith('without a record')).map((line) => line.split('/u/')[1]),
    ).to.have.members(['orphan.txt', 'thumbnails_200_200-orphan.png']);
    expect(listed.find((line) => line.startsWith('without bytes'))).to.include('missing.txt');
    expect(listed.at(-1)).to.match(/^2 files without a record found \(8 bytes\)/);
    expect((await orphans('--delete')).at(-1)).to.include('2 files without a record deleted');
    expect(await readdir(root)).to.have.members(['kept.png', 'thumbnails_200_200-kept.png']);
    expect(await AdminAction.countDocuments({ action: 'files orphans --delete', createdAt: { $gte: began } })).to.equal(
      1,
    );
    await close();
    await StoredFile.deleteMany({ id_project });
    await rm(folder, { recursive: true, force: true });
  });
});
