/**
 * Uploads, reads and deletions by attackers (A7, A8: docs/attacks.md). Each one is refused with the specified error,
 * and leaves nothing in the bucket, in the folder of the second storage, or among the temporary files.
 */
import { expect } from 'chai';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { config } from '#shared/config.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { FileUsage } from '#shared/models/file-usage.ts';
import type { FileStorage } from '#shared/storage/file-storage.ts';
import { LocalStorage } from '#shared/storage/local-storage.ts';
import { openS3Storage } from '#shared/storage/s3-storage.ts';
import { anApiProcess } from '../support/api-process.ts';
import { type FileAttack, fileAttacks, PATH_ATTACKS } from '../support/file-attacks.ts';
import { aProject } from '../support/people.ts';
import type { ProjectFixture } from '../support/record-makers.ts';
import { type S3Server, startS3ServerIfPossible } from '../support/s3-server.ts';
import { anImage, multipart, uploadFile } from '../support/uploads.ts';
import { waitUntil } from '../support/wait-until.ts';
import { docx } from '../support/zip.ts';

/** `npm run faults` sends 1,000 uploads. */
const PARALLEL_UPLOADS = Number(process.env.FAULT_PARALLEL_UPLOADS ?? 150);
const TEN_GB = 10_737_418_240;
const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Returns the number of temporary files, or NaN if their folder does not exist. */
const countTemporaryFiles = async (): Promise<number> => {
  const folder = join(config.DATA_DIR, 'incoming');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
  return entries ? entries.filter((entry) => entry.isFile()).length : NaN;
};

describe('Attacks on files', function () {
  this.timeout(60_000);
  let s3: S3Server | undefined;
  let folder: string;
  let storages: FileStorage[];
  let api: Awaited<ReturnType<typeof anApiProcess>>;
  let fixture: ProjectFixture;
  let chat: string;

  before(async () => {
    await mkdir(join(config.DATA_DIR, 'incoming'), { recursive: true });
    s3 = await startS3ServerIfPossible();
    folder = await mkdtemp(join(tmpdir(), 'files-'));
    storages = [...(s3 ? [openS3Storage(s3.storage)] : []), new LocalStorage(folder)];
    api = await anApiProcess({
      ...(s3 ? { FILE_STORAGE: s3.storage, FILE_STORAGE_FALLBACK: folder } : { FILE_STORAGE: folder }),
      CHAT_FILES_ALLOW_LIST: '.jpg,.png,.gif,.pdf,.txt,.svg,.docx',
      MAX_UPLOAD_FILE_SIZE: '1000000',
      UPLOAD_TIMEOUT_SECONDS: '3',
    });
    fixture = await aProject();
    chat = `/v3/${fixture.project.id}/files/chat`;
  });
  after(async () => {
    await api?.stop('SIGKILL');
    await s3?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const upload = (file: Parameters<typeof uploadFile>[2], path = chat) =>
    uploadFile(fixture.guest, path, { ...file, url: api.url });

  /** All that an upload can leave behind: objects, temporary files, records and counted bytes. */
  const traces = async () => {
    const keys: string[] = [];
    for (const storage of storages) for await (const { key } of storage.list('uploads/')) keys.push(key);
    const id_project = fixture.project.id;
    return {
      keys: keys.toSorted(),
      temporary: await countTemporaryFiles(),
      records: await StoredFile.countDocuments({ id_project }),
      bytes: (await FileUsage.findOne({ id_project }).lean())?.bytes ?? 0,
    };
  };

  const expectNoTrace = async (before: Awaited<ReturnType<typeof traces>>) => {
    await waitUntil(async () => (await traces()).temporary === 0);
    expect(await traces()).to.deep.equal({ ...before, temporary: 0 });
  };

  it('A8: every hostile file or file name is refused with the specified error, and leaves nothing behind', async () => {
    const before = await traces();
    const check = async ({ title, status, error, ...file }: FileAttack) => {
      const reply = await upload(file);
      expect(reply.status, `${title}: ${reply.text}`).to.equal(status);
      expect(reply.body, title).to.include({ success: false });
      expect(reply.body.error.slice(0, error.length), title).to.equal(error);
    };
    for (const attack of await fileAttacks()) await check(attack);
    await expectNoTrace(before);
  });

  it('harmless files of the same kinds as the hostile ones are accepted', async () => {
    const accepted = [
      { name: 'a b & ü.png', type: 'image/png', bytes: await anImage('png') },
      { name: 'C:\\photos\\a.jpg', type: 'image/jpeg', bytes: await anImage('jpeg') },
      { name: '100%.txt', type: 'text/plain', bytes: 'Grüße' },
      {
        name: 'a.svg',
        type: 'image/svg+xml',
        bytes: '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9"/></svg>',
      },
      { name: 'a.docx', type: DOCX_TYPE, bytes: docx({ content: '<w:document/>' }) },
    ];
    for (const file of accepted) {
      const reply = await upload(file);
      expect(reply.status, reply.text).to.equal(201);
      const { headers, statusCode, body } = await request(`${api.url}/v3/files?path=${reply.body.filename}`);
      await body.dump();
      expect(statusCode).to.equal(200);
      const isShown = /png|jpg|txt/.test(file.name);
      expect(headers['content-disposition'] === undefined, file.name).to.equal(isShown);
      expect(headers['content-security-policy']).to.include('sandbox');
    }
  });

  it('a file larger than the limit, a file in an unexpected form field, and an upload with two files or none are refused, and leave nothing behind', async () => {
    const before = await traces();
    const large = await upload({ bytes: 'x'.repeat(1_000_001) });
    expect([large.status, large.body]).to.deep.equal([
      413,
      { success: false, error: 'File too large', msg: 'File too large', code: 'LIMIT_FILE_SIZE' },
    ]);
    const other = await upload({ bytes: 'text', field: 'other' });
    expect([other.status, other.body.error, other.body.code]).to.deep.equal([
      400,
      'Unexpected field',
      'LIMIT_UNEXPECTED_FILE',
    ]);
    const { body, headers } = multipart({ bytes: 'text' });
    const two = Buffer.concat([body.subarray(0, body.lastIndexOf('--support-chat')), body]);
    const send = async (content: Buffer | string, type = headers['content-type']) => {
      const auth = { authorization: fixture.guest.authorization, 'content-type': type };
      const reply = await request(api.url + chat, { method: 'POST', headers: auth, body: content });
      return { status: reply.statusCode, body: (await reply.body.json()) as { error: string } };
    };
    expect((await send(two)).status).to.equal(400);
    const none = await send(`--x--\r\n`, 'multipart/form-data; boundary=x');
    expect([none.status, none.body.error]).to.deep.equal([400, 'No file uploaded']);
    expect((await send(body.subarray(0, -20))).status).to.equal(400);
    await expectNoTrace(before);
  });

  /** Sends the head of an upload and the given bytes, and returns the connection. */
  const startUpload = async (length: number, start: Buffer | string) => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const { headers } = multipart({ bytes: '' });
    const head = `POST ${chat} HTTP/1.1\r\nHost: a\r\nAuthorization: ${fixture.guest.authorization}\r\n`;
    socket.write(`${head}Content-Type: ${headers['content-type']}\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(start);
    return socket;
  };

  const firstReply = async (socket: Awaited<ReturnType<typeof startUpload>>): Promise<string> => {
    let text = '';
    for await (const piece of socket) {
      text += String(piece);
      if (text.includes('"success"')) break;
    }
    return text;
  };

  it('an upload that declares 10 GB is refused before its content is sent (413)', async () => {
    const before = await traces();
    const text = await firstReply(
      await startUpload(TEN_GB, multipart({ bytes: 'x'.repeat(1000) }).body.subarray(0, 900)),
    );
    expect(text)
      .to.match(/^HTTP\/1\.1 413 /)
      .and.to.include('"code":"LIMIT_FILE_SIZE"');
    await expectNoTrace(before);
  });

  it('an upload that stalls is refused after a timeout (408), and one whose client disconnects leaves nothing behind', async () => {
    const before = await traces();
    const { body } = multipart({ bytes: 'x'.repeat(10_000) });
    const [stopped, gone] = await Promise.all([0, 1].map(() => startUpload(body.length, body.subarray(0, 5000))));
    await waitUntil(async () => (await traces()).temporary > 0);
    gone?.destroy();
    const text = await firstReply(stopped as NonNullable<typeof stopped>);
    expect(text)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.to.include('"success":false');
    await expectNoTrace(before);
  });

  it(`of ${PARALLEL_UPLOADS} parallel uploads by one visitor, ten at a time are accepted and the others are refused (429)`, async () => {
    const before = await traces();
    const replies = await Promise.all(
      Array.from({ length: PARALLEL_UPLOADS }, () => upload({ bytes: 'x'.repeat(5000) })),
    );
    const accepted = replies.filter(({ status }) => status === 201).length;
    const refused = replies.filter(({ status }) => status === 429);
    expect(accepted + refused.length).to.equal(PARALLEL_UPLOADS);
    expect(accepted).to.be.within(1, PARALLEL_UPLOADS / 2);
    expect(refused[0]?.body).to.include({ success: false, code: 'TOO_MANY_UPLOADS' });
    expect(refused[0]?.headers['retry-after']).to.equal('5');
    const after = await traces();
    expect(after.keys).to.have.lengthOf(before.keys.length + accepted);
    expect(after).to.include({ temporary: 0, records: before.records + accepted });
  });

  it('A7: reads and deletions with a hostile path return 404', async () => {
    const before = await traces();
    const { authorization } = fixture.owner;
    for (const path of PATH_ATTACKS) {
      for (const query of [encodeURIComponent(path), path.replaceAll(/[\0\\ ]/g, encodeURIComponent)]) {
        const calls = [
          ...['files', 'files/download', 'images', `${fixture.project.id}/files`].map((form) => ({
            form,
            method: 'GET' as const,
          })),
          ...['files', `${fixture.project.id}/files`].map((form) => ({ form, method: 'DELETE' as const })),
        ];
        for (const { form, method } of calls) {
          const url = `${api.url}/v3/${form}?path=${query}`;
          const { statusCode, body } = await request(url, { method, headers: { authorization } });
          const reply = (await body.json()) as { success: boolean };
          expect([statusCode, reply.success], `${method} ${url}`).to.deep.equal([404, false]);
        }
      }
    }
    await expectNoTrace(before);
  });

  it('a file that exceeds the quota of its project is refused (403), and leaves nothing behind', async () => {
    const { guest, project } = await aProject();
    const nearlyFull = config.PROJECT_FILE_BYTES - 10;
    await FileUsage.create([{ id_project: project.id, bytes: nearlyFull }]);
    const path = `/v3/${project.id}/files/chat`;
    const sent = (bytes: string) => uploadFile(guest, path, { bytes, url: api.url });
    const before = await traces();
    const refused = await sent('x'.repeat(11));
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'FILE_QUOTA_EXCEEDED']);
    await expectNoTrace(before);
    expect((await sent('x'.repeat(10))).status).to.equal(201);
    expect((await FileUsage.findOne({ id_project: project.id }).lean())?.bytes).to.equal(config.PROJECT_FILE_BYTES);
  });
});
