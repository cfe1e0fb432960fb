/** Measures the memory of an API process during large uploads and downloads. */
import { expect } from 'chai';
import { readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { type Caller, call } from '../support/api.ts';
import { aFleet, type Fleet, type FleetProcess } from '../support/fleet.ts';
import { aProject } from '../support/people.ts';
import { withBasicAuth } from '../support/retrying-clients.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

const MEGABYTE = 1_000_000;
const LARGE_MB = Number(process.env.BENCH_MB ?? 1000);
/** The size of the warm-up file, after whose upload and download garbage collection has reached a steady state. */
const WARM_UP_MB = 200;
const MAX_GROWTH_MB = 50;
const POLL_MS = 20;
/** Writing this to `clear_refs` resets the recorded peak of a process's resident memory (proc_pid_clear_refs(5)). */
const RESET_PEAK = '5';
const BOUNDARY = 'support-chat-boundary';
const SETTINGS = { MAX_UPLOAD_FILE_SIZE: '1100000000', ASSETS_FILES_ALLOW_LIST: '*/*' };

/** Returns the resident memory of a process, in bytes: the current value, or the peak since its last reset. */
const residentOf = async ({ pid }: FleetProcess, field: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
};

/** Returns the smallest resident memory of a process during some work, in bytes: its memory with the least garbage. */
const leastDuring = async (member: FleetProcess, work: () => Promise<void>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    void residentOf(member, 'VmRSS').then((bytes) => {
      least = Math.min(least, bytes);
    });
  }, POLL_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return least;
};

/** Returns the largest resident memory of a process during some work, in bytes, as the kernel records it. */
const peakDuring = async (member: FleetProcess, work: () => Promise<void>): Promise<number> => {
  await writeFile(`/proc/${member.pid}/clear_refs`, RESET_PEAK);
  await work();
  return residentOf(member, 'VmHWM');
};

/** Generates a multipart body with a file of the given size while the body is sent. */
async function* formOf(megabytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  for (let index = 0; index < megabytes; index += 1) yield Buffer.alloc(MEGABYTE, index % 200);
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

const uploadLarge = async (url: string, caller: Caller, megabytes: number): Promise<string> => {
  const headers = { authorization: caller.authorization, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const { statusCode, body } = await request(url, {
    ...{ method: 'POST', headers, body: Readable.from(formOf(megabytes)) },
    ...{ headersTimeout: 600_000, bodyTimeout: 600_000 },
  });
  const reply = (await body.json()) as { filename: string };
  expect(statusCode, JSON.stringify(reply)).to.equal(201);
  return reply.filename;
};

/** Downloads a file and returns the number of its bytes. */
const download = async (url: string): Promise<number> => {
  const { statusCode, body } = await request(url, { bodyTimeout: 600_000 });
  expect(statusCode).to.equal(200);
  let bytes = 0;
  for await (const piece of body) bytes += (piece as Buffer).length;
  return bytes;
};

const measureLargeFile = async (fleet: Fleet): Promise<void> => {
  const api = await fleet.api();
  const { project, admin: person } = await aProject();
  const admin = withBasicAuth(person); // the API process has its own secret and refuses tokens from this process
  const assets = `${api.url}/v3/${project.id}/files/assets`;
  const fileUrl = (filename: string) => `${api.url}/v3/files?path=${filename}`;
  const warmUp = async () => void (await download(fileUrl(await uploadLarge(assets, admin, WARM_UP_MB))));
  await warmUp();
  const before = await leastDuring(api, warmUp);
  const started = performance.now();
  let filename = '';
  const uploadPeak = await peakDuring(api, async () => {
    filename = await uploadLarge(assets, admin, LARGE_MB);
  });
  const uploaded = performance.now();
  const downloadPeak = await peakDuring(api, async () => {
    expect(await download(fileUrl(filename))).to.equal(LARGE_MB * MEGABYTE);
  });
  const [upload, reading] = [uploaded - started, performance.now() - uploaded].map((ms) => (ms / 1000).toFixed(1));
  const growth = [uploadPeak, downloadPeak].map((peak) => (peak - before) / MEGABYTE);
  const [inUpload = 0, inDownload = 0] = growth;
  console.log(
    `      file of ${LARGE_MB} MB, ${(before / MEGABYTE).toFixed(0)} MB of memory before: upload ${upload} s, +${inUpload.toFixed(0)} MB; download ${reading} s, +${inDownload.toFixed(0)} MB`,
  );
  expect(Math.max(...growth)).to.be.lessThan(MAX_GROWTH_MB);
  await call('DELETE', fileUrl(filename), { headers: { authorization: admin.authorization } });
};

describe('Memory of an API process with a large file', function () {
  this.timeout(1_800_000);
  let s3: S3Server | undefined;
  after(() => s3?.stop());

  const measureWith = async (settings: Record<string, string>) => {
    const fleet = await aFleet({ ...SETTINGS, ...settings });
    try {
      await measureLargeFile(fleet);
    } finally {
      await fleet.close();
    }
  };

  it(`the upload and download of ${LARGE_MB} MB, stored in a folder, use less than ${MAX_GROWTH_MB} MB of additional memory`, () =>
    measureWith({}));

  it(`the upload and download of ${LARGE_MB} MB, stored in a bucket, use less than ${MAX_GROWTH_MB} MB of additional memory`, async () => {
    s3 = await startS3Server();
    await measureWith({ FILE_STORAGE: s3.storage });
  });
});
