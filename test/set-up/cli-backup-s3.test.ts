/** `npm run cli -- backup …` with the stored files in S3. */
import { hash, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import mongoose, { type mongo } from 'mongoose';
import { config } from '#shared/config.ts';
import type { FileStorage } from '#shared/storage/file-storage.ts';
import { openS3Storage } from '#shared/storage/s3-storage.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';

const TYPE = 'image/png';

describe('npm run cli -- backup, with a storage in S3', function () {
  this.timeout(120_000);
  const id_project = hex(24);
  const key = `uploads/projects/${id_project}/files/u/photo.png`;
  const thumbnailKey = key.replace('photo', 'thumbnails_200_200-photo');
  const contents = new Map([
    [key, randomBytes(30_000)],
    [thumbnailKey, randomBytes(300)],
  ]);
  let [folder, backup]: [string, string] = ['', ''];
  let s3: S3Server;
  let bucket: FileStorage;
  let database: mongo.Db;
  let commands: CliProcess;

  const store = async (fileKey: string, bytes: Buffer) => {
    const path = join(folder, hex(8));
    await writeFile(path, bytes);
    await bucket.put(fileKey, { path, size: bytes.length, type: TYPE });
  };

  const readStored = async (fileKey: string) => {
    const stored = await bucket.open(fileKey);
    return stored && buffer(stored);
  };

  before(async function () {
    s3 = await startS3Server().catch((error: Error) =>
      skipWithReason(this, `the S3 server s3rver cannot be installed: ${error.message}`),
    );
    folder = await aTemporaryFolder('backup-s3-');
    backup = join(folder, 'backup');
    bucket = openS3Storage(s3.storage);
    const name = `backup-s3-${process.pid}-${hex(8)}`;
    database = mongoose.connection.getClient().db(name);
    const common = { id_project, kind: 'asset', status: 'stored', path: key, key, name: 'photo.png', type: TYPE };
    const bytes = contents.get(key) as Buffer;
    const file = { ...common, size: bytes.length, hash: hash('sha256', bytes), createdAt: new Date() };
    await database.collection('files').insertOne({ ...file, thumbnail: { status: 'stored' } });
    for (const [fileKey, fileBytes] of contents) await store(fileKey, fileBytes);
    const uri = new URL(config.MONGODB_URI);
    uri.pathname = `/${name}`;
    commands = await aCliProcess({
      DATA_DIR: join(folder, 'data'),
      FILE_STORAGE: s3.storage,
      EMBEDDING_MODEL_FILE: 'off',
      MONGODB_URI: uri.href,
    });
  });

  after(async () => {
    await commands?.close();
    await database?.dropDatabase();
    await s3?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  it('a backup copies the files from the bucket, and a restore puts lost and damaged files back into the bucket', async () => {
    const created = await commands.cli(`backup create ${backup}`);
    expect(created.error).to.equal('');
    expect(created.out).to.include('2 files, 30300 bytes.');
    await store(key, randomBytes(30_000));
    await bucket.delete(thumbnailKey);
    await database.dropDatabase();
    const damaged = await commands.cli(`backup verify ${backup}`);
    expect(damaged.code).to.equal(1);
    expect(damaged.out)
      .to.include(`File  ${key}: its bytes differ from those in the backup`)
      .and.include(`File  ${thumbnailKey}: it is in no storage`);
    expect(await commands.cli(`backup restore ${backup}`)).to.include({ code: 0, error: '' });
    const verified = await commands.cli(`backup verify ${backup}`);
    expect(verified).to.include({ code: 0 }).and.property('out').to.include('Verified: no differences.');
    for (const [fileKey, bytes] of contents) expect((await readStored(fileKey))?.equals(bytes), fileKey).to.equal(true);
  });
});
