/** Two storages: reads fall back to the second one, deletions cover both, and failures leave nothing behind. */
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { request } from 'undici';
import { StoredFile } from '#shared/models/stored-file.ts';
import type { FileStorage } from '#shared/storage/file-storage.ts';
import { LocalStorage } from '#shared/storage/local-storage.ts';
import { openS3Storage } from '#shared/storage/s3-storage.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aProject } from '../support/people.ts';
import type { ProjectFixture } from '../support/record-makers.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';
import { anImage, uploadFile } from '../support/uploads.ts';

describe('Storages of files', function () {
  this.timeout(120_000);
  let s3: S3Server;
  let [folder, work]: [string, string] = ['', ''];
  let [bucket, fallback]: [FileStorage, FileStorage] = [] as never;
  let api: Awaited<ReturnType<typeof anApiProcess>>;
  let fixture: ProjectFixture;

  before(async function () {
    s3 = await startS3Server().catch((error: Error) =>
      skipWithReason(this, `the S3 server s3rver cannot be installed: ${error.message}`),
    );
    [folder, work] = await Promise.all([mkdtemp(join(tmpdir(), 'files-')), mkdtemp(join(tmpdir(), 'work-'))]);
    [bucket, fallback] = [openS3Storage(s3.storage), new LocalStorage(folder)];
    [api, fixture] = await Promise.all([
      anApiProcess({ FILE_STORAGE: s3.storage, FILE_STORAGE_FALLBACK: folder }),
      aProject(),
    ]);
  });
  after(async () => {
    await api?.stop('SIGKILL');
    await s3?.stop();
    for (const each of [folder, work]) if (each) await rm(each, { recursive: true, force: true });
  });

  const upload = async (name = 'a.png') => {
    const sent = { name, type: 'image/png', bytes: await anImage('png'), url: api.url };
    return uploadFile(fixture.admin, `/v3/${fixture.project.id}/files/assets`, sent);
  };

  const copy = async (key: string, from: FileStorage, to: FileStorage): Promise<void> => {
    const path = join(work, 'copy');
    const bytes = await from.open(key);
    if (!bytes) throw new Error(`${key} is absent`);
    await pipeline(bytes, createWriteStream(path));
    const { size } = await StoredFile.findOne({ id_project: fixture.project.id, key }).orFail().lean();
    await to.put(key, { path, size, type: 'image/png' });
  };

  const call = async (filename: string, method: 'GET' | 'DELETE' = 'GET') => {
    const headers = { authorization: fixture.admin.authorization };
    const { statusCode, body } = await request(`${api.url}/v3/files?path=${filename}`, { method, headers });
    const bytes = Buffer.from(await body.arrayBuffer());
    return { status: statusCode, bytes };
  };

  it('a file that is only in the second storage is read from there, and its thumbnail is created', async () => {
    const { body } = await upload();
    const key = decodeURIComponent(body.filename);
    await copy(key, bucket, fallback);
    await bucket.delete(key);
    const original = await call(body.filename);
    expect([original.status, original.bytes.equals(await anImage('png'))]).to.deep.equal([200, true]);
    expect((await call(body.thumbnail)).status).to.equal(200);
    expect(await bucket.has(decodeURIComponent(body.thumbnail))).to.equal(true);
  });

  it('a deletion removes the file and its thumbnail from both storages', async () => {
    const { body } = await upload();
    expect((await call(body.thumbnail)).status).to.equal(200);
    const keys = [body.filename, body.thumbnail].map(decodeURIComponent);
    const [key = '', thumbnail = ''] = keys;
    await copy(key, bucket, fallback);
    expect((await call(body.filename, 'DELETE')).status).to.equal(200);
    for (const storage of [bucket, fallback])
      for (const each of [key, thumbnail]) expect(await storage.has(each), `${storage.name} ${each}`).to.equal(false);
  });

  it('while the first storage is down, uploads are refused and files are read from the second one', async () => {
    const { body } = await upload();
    await copy(decodeURIComponent(body.filename), bucket, fallback);
    await s3.stop();
    expect((await call(body.filename)).status).to.equal(200);
    const refused = await upload();
    expect([refused.status, refused.body.success, refused.body.error]).to.deep.equal([
      500,
      false,
      'Error uploading asset',
    ]);
    const pending = { id_project: fixture.project.id, status: 'stored' as const, name: 'b.png' };
    expect(await StoredFile.exists(pending)).to.equal(null);
    const deleted = await request(`${api.url}/v3/files?path=${body.filename}`, {
      method: 'DELETE',
      headers: { authorization: fixture.admin.authorization },
    });
    const reply = (await deleted.body.json()) as { error: string };
    expect([deleted.statusCode, reply.error]).to.deep.equal([500, 'Error deleting file.']);
    // The database has recorded the deletion: reads return 404, and the sweep deletes the bytes later.
    expect((await call(body.filename)).status).to.equal(404);
  });
});
