/**
 * Uploads while the disk for incoming uploads or the disk of the storage is full. D15 is described in
 * docs/degradation.md, and F10 in docs/failures.md.
 */
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { config } from '#shared/config.ts';
import { FileUsage } from '#shared/models/file-usage.ts';
import { LeadImport } from '#shared/models/lead-import.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { call, type Reply } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { receive } from '../support/inbound.ts';
import { mailSource, multipart, textFile, textPart } from '../support/mail-formats/mime.ts';
import { headersOf } from '../support/mail-formats/special-mails.ts';
import { aProject } from '../support/people.ts';
import type { ProjectFixture } from '../support/record-makers.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';
import { assertSmallDisks, pathOnSmallDisk, withSmallDisks } from '../support/small-disks.ts';
import { anImage, uploadFile } from '../support/uploads.ts';

const INCOMING_BYTES = 2_000_000;
const STORAGE_BYTES = 1_000_000;
const FILE_BYTES = 150_000;

describe('Full disks', function () {
  this.timeout(60_000);
  const incoming = join(config.DATA_DIR, 'incoming');
  let storage: string;
  let api: Awaited<ReturnType<typeof anApiProcess>>;
  let fixture: ProjectFixture;

  before(async function () {
    await assertSmallDisks().catch((error: Error) =>
      skipWithReason(this, `this machine cannot mount small file systems: ${error.message}`),
    );
    storage = await mkdtemp(join(tmpdir(), 'storage-'));
    await mkdir(incoming, { recursive: true });
    const disks = withSmallDisks({ [incoming]: INCOMING_BYTES, [storage]: STORAGE_BYTES });
    api = await anApiProcess({ FILE_STORAGE: storage }, disks);
  });
  after(async () => {
    await api?.stop('SIGKILL');
    if (storage) await rm(storage, { recursive: true });
  });
  beforeEach(async () => {
    fixture = await aProject();
  });

  const upload = (bytes: Buffer, name = 'a.txt', type = 'text/plain') =>
    uploadFile(fixture.admin, `/v3/${fixture.project.id}/files/assets`, { name, type, bytes, url: api.url });

  const aText = (bytes = FILE_BYTES): Buffer => Buffer.from(randomBytes(bytes / 2).toString('hex'));

  const read = async (path: string) => {
    const { statusCode, body } = await request(`${api.url}/v3/files?path=${path}`);
    return { status: statusCode, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  const remove = (filename: string) =>
    call('DELETE', `${api.url}/v3/files?path=${filename}`, { headers: { authorization: fixture.admin.authorization } });

  const countFiles = async (folder: string): Promise<number> => {
    const seen = pathOnSmallDisk(api.pid, folder);
    return (await readdir(seen, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
  };

  /** Everything that uploads to the project leave behind: files on both disks, records and counted bytes. */
  const traces = async () => {
    const id_project = fixture.project.id;
    return {
      temporary: await countFiles(incoming),
      stored: await countFiles(storage),
      records: await StoredFile.countDocuments({ id_project }),
      bytes: (await FileUsage.findOne({ id_project }).lean())?.bytes ?? 0,
    };
  };

  const expectDiskFull = ({ status, body }: Reply) => {
    const text = 'The server has no space left for files; try again later';
    expect([status, body]).to.deep.equal([507, { success: false, error: text, msg: text, code: 'DISK_FULL' }]);
  };

  it('D15: when the storage disk is full, uploads are refused (507) until files are deleted, and leave nothing behind', async () => {
    const accepted: { filename: string; bytes: Buffer }[] = [];
    let refused: Reply | undefined;
    while (!refused) {
      const bytes = aText();
      const reply = await upload(bytes);
      if (reply.status === 201) accepted.push({ filename: reply.body.filename, bytes });
      else refused = reply;
    }
    expectDiskFull(refused);
    const count = accepted.length;
    expect(count).to.equal(Math.floor(STORAGE_BYTES / FILE_BYTES));
    expect(await traces()).to.deep.equal({ temporary: 0, stored: count, records: count, bytes: count * FILE_BYTES });
    for (const { filename, bytes } of accepted) expect((await read(filename)).bytes.equals(bytes)).to.equal(true);
    await remove(accepted[0]?.filename ?? '');
    const again = await upload(aText());
    expect(again.status).to.equal(201);
    for (const { filename } of [...accepted.slice(1), again.body]) await remove(filename);
    expect(await traces()).to.deep.equal({ temporary: 0, stored: 0, records: 0, bytes: 0 });
  });

  it('F10: when the disk for incoming uploads is full, uploads are refused (507) and leave nothing behind, and smaller uploads are still accepted', async () => {
    expectDiskFull(await upload(aText(INCOMING_BYTES + 100_000)));
    const rows = Buffer.from(`email\n${'a@example.com\n'.repeat(INCOMING_BYTES / 10)}`);
    const headers = { 'content-type': 'text/csv', authorization: fixture.admin.authorization };
    expectDiskFull(await call('POST', `${api.url}/v3/${fixture.project.id}/leads/csv`, { body: rows, headers }));
    expect(await LeadImport.countDocuments({ id_project: fixture.project.id })).to.equal(0);
    expect(await traces()).to.deep.equal({ temporary: 0, stored: 0, records: 0, bytes: 0 });
    const { status, body } = await upload(aText());
    expect(status).to.equal(201);
    await remove(body.filename);
  });

  it('when the disk for incoming uploads is full, an email with an attachment is refused (507), so that the mail server sends it again', async () => {
    const attachment = textFile('a.txt', String(aText(INCOMING_BYTES / 2)));
    const mail = mailSource(headersOf('full disk', false), multipart('mixed', textPart('plain', 'Hi'), attachment));
    expectDiskFull(await receive({ ...fixture, url: api.url }, mail));
    expect(await traces()).to.deep.equal({ temporary: 0, stored: 0, records: 0, bytes: 0 });
  });

  for (const disk of ['storage', 'incoming'] as const)
    it(`a thumbnail that could not be created while the disk for ${disk === 'storage' ? 'the storage' : 'incoming uploads'} was full is created by a read after space is freed`, async () => {
      const { body } = await upload(await anImage('png'), 'a.png', 'image/png');
      const filler = pathOnSmallDisk(api.pid, join(disk === 'storage' ? storage : incoming, 'filler'));
      const full = await writeFile(filler, Buffer.alloc(2 * INCOMING_BYTES)).catch(({ code }) => code);
      expect(full).to.equal('ENOSPC');
      expect((await read(body.thumbnail)).status).to.equal(500);
      await rm(filler);
      expect((await read(body.thumbnail)).status).to.equal(200);
      expect((await remove(body.filename)).status).to.equal(200);
      expect(await traces()).to.deep.equal({ temporary: 0, stored: 0, records: 0, bytes: 0 });
    });
});
