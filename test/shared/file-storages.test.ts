/** Both kinds of file storage, a folder and a bucket on a real S3 server, behave alike. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, FileStorage } from '#shared/storage/file-storage.ts';
import { freeWhenPiped } from '#shared/storage/free-pieces.ts';
import { LocalStorage } from '#shared/storage/local-storage.ts';
import { openS3Storage } from '#shared/storage/s3-storage.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';
import { waitUntil } from '../support/wait-until.ts';

const TYPE = 'text/plain';
/** The size of a sparse file: it occupies no disk blocks, but copying it takes a long time. */
const SPARSE_BYTES = 8e9;
/**
 * `MAX_BUFFER_BYTES` is below the 64 MB of unused buffers after which V8 collects garbage, so the test passes only if
 * the code frees buffers itself.
 */
const [LARGE_BYTES, MAX_BUFFER_BYTES] = [300e6, 16e6];
const KEY = 'uploads/projects/p/files/u/ü a+b%20.txt';

describe('File storages', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storage-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const localFile = async (text: string) => {
    const path = join(folder, 'sent');
    await writeFile(path, text);
    return { path, size: Buffer.byteLength(text), type: TYPE };
  };

  /** Stores a new local file with this text. */
  const put = async (storage: FileStorage, key: string, text: string) => {
    await storage.put(key, await localFile(text));
  };

  const readText = async (storage: FileStorage, key: string, range?: ByteRange): Promise<string | null> => {
    const bytes = await storage.open(key, range);
    if (!bytes) return null;
    let text = '';
    for await (const piece of bytes) text += String(piece);
    return text;
  };

  const keysOf = async (storage: FileStorage, prefix: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefix)) keys.push(key);
    return keys.toSorted();
  };

  const conforms = async (storage: FileStorage): Promise<void> => {
    await put(storage, KEY, '0123456789');
    expect(await readText(storage, KEY)).to.equal('0123456789');
    expect(await readText(storage, KEY, { start: 2, end: 4 })).to.equal('234');
    expect([await storage.has(KEY), await storage.has(`${KEY}x`)]).to.deep.equal([true, false]);
    expect(await storage.open(`${KEY}x`)).to.equal(null);
    await put(storage, KEY, 'replaced');
    expect(await readText(storage, KEY)).to.equal('replaced');
    await put(storage, 'uploads/projects/p2/a', '');
    expect(await keysOf(storage, 'uploads/projects/p/')).to.deep.equal([KEY]);
    expect(await keysOf(storage, 'uploads/')).to.deep.equal([KEY, 'uploads/projects/p2/a']);
    expect(await keysOf(storage, 'uploads/none/')).to.deep.equal([]);
    for (const _ of ['first', 'again']) await storage.delete(KEY);
    expect(await keysOf(storage, 'uploads/')).to.deep.equal(['uploads/projects/p2/a']);
  };

  it('a folder stores files, and subfolders that a deletion leaves empty are removed', async () => {
    const root = join(folder, 'files');
    const storage = new LocalStorage(root);
    await conforms(storage);
    expect(await readdir(join(root, 'uploads', 'projects'))).to.deep.equal(['p2']);
  });

  describe('in a folder on a different file system from the uploads', () => {
    /** A folder that is a separate file system on Linux. */
    const OTHER_FILE_SYSTEM = '/dev/shm';
    let incoming: string | undefined;
    before(async function () {
      const [here, other] = await Promise.all([stat(tmpdir()), stat(OTHER_FILE_SYSTEM).catch(() => null)]);
      if (!other || here.dev === other.dev) skipWithReason(this, `${OTHER_FILE_SYSTEM} is not a separate file system`);
      incoming = await mkdtemp(join(OTHER_FILE_SYSTEM, 'incoming-'));
    });
    after(async () => {
      if (incoming) await rm(incoming, { recursive: true });
    });

    const filesIn = async (root: string): Promise<string[]> =>
      (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name);

    it('a file from the other file system is copied', async () => {
      const path = join(incoming ?? '', 'small');
      await writeFile(path, 'text');
      const storage = new LocalStorage(folder);
      await storage.put(KEY, { path });
      expect(await readText(storage, KEY)).to.equal('text');
      expect(await filesIn(folder)).to.have.lengthOf(1);
    });

    it('deleting a file removes the partial copy that a killed process left', async () => {
      const path = join(incoming ?? '', 'large');
      await writeFile(path, '');
      await truncate(path, SPARSE_BYTES);
      const script = `
        import { LocalStorage } from '#shared/storage/local-storage.ts';
        await new LocalStorage(${JSON.stringify(folder)}).put(${JSON.stringify(KEY)}, { path: ${JSON.stringify(path)} });`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
      const exited = once(child, 'exit');
      await waitUntil(async () => (await filesIn(folder)).length > 0);
      child.kill('SIGKILL');
      expect(await exited).to.deep.equal([null, 'SIGKILL']);
      const storage = new LocalStorage(folder);
      expect([await storage.has(KEY), (await filesIn(folder)).length]).to.deep.equal([false, 1]);
      await storage.delete('uploads/projects/p/files/u/other.txt');
      expect(await filesIn(folder)).to.have.lengthOf(1);
      await storage.delete(KEY);
      expect(await filesIn(folder)).to.deep.equal([]);
    });
  });

  it('neither keys nor symbolic links lead out of a folder', async () => {
    const [root, outside] = [join(folder, 'files'), join(folder, 'outside')];
    const storage = new LocalStorage(root);
    await put(storage, 'uploads/a/real.txt', 'real');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'secret');
    await symlink(join(outside, 'secret.txt'), join(root, 'uploads/a/link.txt'));
    await symlink(outside, join(root, 'uploads/linked'));
    for (const key of ['uploads/a/link.txt', 'uploads/linked/secret.txt', 'uploads/a']) {
      expect(await storage.open(key), key).to.equal(null);
      expect(await storage.has(key), key).to.equal(false);
      expect(await storage.localPath(key), key).to.equal(null);
    }
    expect(await keysOf(storage, 'uploads/')).to.deep.equal(['uploads/a/real.txt']);
    await storage.delete('uploads/linked/secret.txt');
    const written = await put(storage, 'uploads/linked/new.txt', 'text').catch((error: Error) => error.message);
    expect(written).to.include('behind a symbolic link');
    for (const key of ['../outside/secret.txt', '/etc/passwd', 'uploads/../../outside/secret.txt', 'a\0b']) {
      const error = await storage.open(key).catch((failure: Error) => failure.message);
      expect(error, key).to.include('is not a valid key');
    }
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).to.equal('secret');
    expect(await readdir(outside)).to.deep.equal(['secret.txt']);
  });

  describe('in a bucket', () => {
    let server: S3Server | undefined;
    before(async function () {
      this.timeout(120_000);
      server = await startS3Server().catch((error: Error) =>
        skipWithReason(this, `the S3 server s3rver cannot be installed: ${error.message}`),
      );
    });
    after(() => server?.stop());

    it('a bucket stores files', async () => {
      await conforms(openS3Storage(server?.storage ?? ''));
    });

    it('a bucket lists more files than fit on a page', async () => {
      const storage = openS3Storage(server?.storage ?? '', 2);
      const keys = ['a/1', 'a/2', 'b/3', 'b/4', 'c'].map((name) => `uploads/many/${name}`);
      for (const key of keys) await put(storage, key, 'text');
      expect(await keysOf(storage, 'uploads/many/')).to.deep.equal(keys);
    });

    /** Returns the largest growth of the memory used by buffers during some work, in bytes. */
    const bufferGrowthDuring = async (work: () => Promise<void>): Promise<number> => {
      const before = process.memoryUsage().arrayBuffers;
      let most = before;
      const timer = setInterval(() => {
        most = Math.max(most, process.memoryUsage().arrayBuffers);
      });
      await work().finally(() => clearInterval(timer));
      return most - before;
    };

    it(`a file of ${LARGE_BYTES / 1e6} MB is stored and read with less than ${MAX_BUFFER_BYTES / 1e6} MB of buffers`, async () => {
      const storage = openS3Storage(server?.storage ?? '');
      const { path, type } = await localFile('');
      await truncate(path, LARGE_BYTES);
      const inUpload = await bufferGrowthDuring(() => storage.put('uploads/large', { path, size: LARGE_BYTES, type }));
      let bytes = 0;
      const count = new Writable({
        write: (piece: Buffer, _encoding, done) => {
          bytes += piece.length;
          done();
        },
      });
      const inDownload = await bufferGrowthDuring(async () => {
        await pipeline(freeWhenPiped((await storage.open('uploads/large')) as Readable), count);
      });
      expect(bytes).to.equal(LARGE_BYTES);
      expect(Math.max(inUpload, inDownload)).to.be.lessThan(MAX_BUFFER_BYTES);
      await storage.delete('uploads/large');
    });

    it('an aborted upload leaves nothing in the bucket', async () => {
      const storage = openS3Storage(server?.storage ?? '');
      const file = await localFile('text');
      const aborted = await storage
        .put('uploads/aborted', file, AbortSignal.abort())
        .catch((error: Error) => error.name);
      expect(aborted).to.equal('AbortError');
      expect(await storage.has('uploads/aborted')).to.equal(false);
    });

    it('a missing bucket is reported as an error, not as a missing file', async () => {
      const wrong = openS3Storage((server?.storage ?? '').replace('@files/', '@other/'));
      const error = await wrong.open('uploads/a').catch((failure: Error) => failure.name);
      expect(error).to.equal('NoSuchBucket');
    });
  });
});
