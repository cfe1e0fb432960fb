/**
 * Trials of uploads, deletions, thumbnails and sweeps while the API and the worker are killed with SIGKILL at random
 * moments. Afterwards records and bytes must agree.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { request } from 'undici';
import { FileUsage } from '#shared/models/file-usage.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import type { FileStorage } from '#shared/storage/file-storage.ts';
import { LocalStorage } from '#shared/storage/local-storage.ts';
import { openS3Storage } from '#shared/storage/s3-storage.ts';
import { thumbnailPath } from '#shared/domain/files/file-names.ts';
import type { Caller } from './api.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import { aProject } from './people.ts';
import { withBasicAuth } from './retrying-clients.ts';
import { random } from './seeded-random.ts';
import { aPhoto, uploadFile } from './uploads.ts';
import { waitUntil } from './wait-until.ts';

const CLIENTS = 2;
const PHOTOS = 8;
const MAX_LIFE_MS = 700;
const MAX_EXPIRATION_SECONDS = 4;
const DELETED_SHARE = 0.2;
const EXPIRING_SHARE = 0.4;
const PATIENCE_SECONDS = 180;

/** An upload that returned 201. */
interface AcceptedFile {
  filename: string;
  hash: string;
  /** The earliest and the latest time at which it may expire; absent without an expiry. */
  expiresMs?: { from: number; to: number };
  /** Whether a deletion was sent, which may have been lost. */
  isDeleted?: boolean;
}

/** Whether a file has no expiry, and no deletion was sent. */
const isKept = ({ expiresMs, isDeleted }: AcceptedFile): boolean => !expiresMs && !isDeleted;

interface Trial {
  fleet: Fleet;
  project: string;
  admin: Caller;
  /** The running API and the running worker. */
  processes: { api: FleetProcess; worker: FleetProcess };
  photos: Buffer[];
  accepted: AcceptedFile[];
  expiredReads: string[];
  /** The pause between two calls of a client. */
  pauseMs: number;
  isOver: boolean;
}

const readFile = async ({ processes }: Trial, { filename }: AcceptedFile) => {
  const { statusCode, body } = await request(`${processes.api.url}/v3/files?path=${filename}`);
  return { status: statusCode, bytes: Buffer.from(await body.arrayBuffer()) };
};

/** Uploads a photo, with or without an expiry. */
const uploadOne = async (trial: Trial, number: number): Promise<void> => {
  const bytes = trial.photos[number % PHOTOS] as Buffer;
  const expiration = random() < EXPIRING_SHARE ? 1 + Math.floor(random() * MAX_EXPIRATION_SECONDS) : 0;
  const path = `/v3/${trial.project}/files/assets?expiration=${expiration}`;
  const sentAt = Date.now();
  const sent = { name: `p${number}.jpg`, type: 'image/jpeg', bytes, url: trial.processes.api.url };
  const { status, body } = await uploadFile(trial.admin, path, sent);
  if (status !== 201) return;
  const ms = expiration * 1000;
  trial.accepted.push({
    filename: body.filename,
    hash: createHash('sha256').update(bytes).digest('hex'),
    ...(expiration && { expiresMs: { from: sentAt + ms, to: Date.now() + ms } }),
  });
};

const deleteOne = async (trial: Trial): Promise<void> => {
  const file = trial.accepted[Math.floor(random() * trial.accepted.length)];
  if (!file) return;
  file.isDeleted = true;
  const url = `${trial.processes.api.url}/v3/files?path=${file.filename}`;
  const { body } = await request(url, { method: 'DELETE', headers: { authorization: trial.admin.authorization } });
  await body.dump();
};

/** Reads a file that has expired; it must not be served. */
const readExpired = async (trial: Trial): Promise<void> => {
  const now = Date.now();
  const expired = trial.accepted.filter(({ expiresMs }) => expiresMs && expiresMs.to < now);
  const file = expired[Math.floor(random() * expired.length)];
  if (file && (await readFile(trial, file)).status === 200) trial.expiredReads.push(file.filename);
};

const runClient = async (trial: Trial, client: number): Promise<void> => {
  for (let number = client; !trial.isOver; number += CLIENTS) {
    const choice = random();
    const work = choice < DELETED_SHARE ? deleteOne : choice < 2 * DELETED_SHARE ? readExpired : uploadOne;
    // A call to a killed process fails; the client continues with the next call.
    await work(trial, number).catch(() => undefined);
    await sleep(trial.pauseMs);
  }
};

const killOne = async (trial: Trial, kind: 'api' | 'worker'): Promise<void> => {
  await sleep(random() * MAX_LIFE_MS);
  await trial.processes[kind].end('SIGKILL');
  trial.processes[kind] = await trial.fleet[kind]();
};

const noneIsUnfinishedOr = async (condition: object): Promise<boolean> => {
  const unfinished = [{ status: { $ne: 'stored' } }, { 'thumbnail.status': 'pending' }, condition];
  return !(await StoredFile.exists({ $or: unfinished }).setOptions({ anyProject: true }));
};

/** Whether no upload, thumbnail or removal is unfinished, and no expired file is left. */
const isSwept = () => noneIsUnfinishedOr({ expiresAt: { $lte: new Date() } });

/**
 * Whether no upload, thumbnail or removal is unfinished, and no file has an expiry. Records and bytes then no longer
 * change.
 */
const isAtRest = () => noneIsUnfinishedOr({ expiresAt: { $exists: true } });

const hashOf = async (storage: FileStorage, key: string): Promise<string> => {
  const hash = createHash('sha256');
  const bytes = await storage.open(key);
  if (!bytes) return 'absent';
  for await (const piece of bytes) hash.update(piece as Buffer);
  return hash.digest('hex');
};

/** Expects that every record has its bytes, and that the storage contains nothing else. Returns the number of files. */
const expectAgreement = async ({ project, fleet }: Trial, storage: FileStorage): Promise<number> => {
  const files = await StoredFile.find({ id_project: project }).lean();
  const expected = new Map<string, string>();
  for (const { key, hash, thumbnail } of files) {
    expected.set(key, hash);
    expect(thumbnail?.status).to.equal('stored');
    expected.set(thumbnailPath(key), thumbnail?.hash ?? '');
  }
  const keys: string[] = [];
  for await (const { key } of storage.list('uploads/')) keys.push(key);
  expect(keys, 'bytes in the storage').to.have.members([...expected.keys()]);
  for (const [key, hash] of expected) expect(await hashOf(storage, key), key).to.equal(hash);
  const usage = await FileUsage.findOne({ id_project: project }).lean();
  expect(usage?.bytes ?? 0).to.equal(files.reduce((sum, { size }) => sum + size, 0));
  await waitUntil(async () => {
    const folder = join(fleet.dataDir, 'incoming');
    const left = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => null);
    return left !== null && !left.some((entry) => entry.isFile());
  }, PATIENCE_SECONDS);
  return files.length;
};

/** Expects that every accepted upload is readable, unless it has expired or its deletion was sent. */
const expectAccepted = async (trial: Trial): Promise<void> => {
  for (const file of trial.accepted) {
    const { expiresMs, isDeleted, hash, filename } = file;
    if (isDeleted || (expiresMs && expiresMs.from <= Date.now() + 1000)) continue;
    const { status, bytes } = await readFile(trial, file);
    expect(status, filename).to.equal(200);
    expect(createHash('sha256').update(bytes).digest('hex'), filename).to.equal(hash);
  }
};

interface KillPlan {
  kills: number;
  /** The pause between two calls of a client. */
  pauseMs: number;
  /** The address of an S3 bucket. Without it, files are stored in a folder. */
  storage?: string;
}

/**
 * Kills the API and the worker in turn while files are uploaded, deleted and swept. The uploads continue until more
 * files have been accepted than processes killed, however slow the machine is. Returns a summary.
 */
export const storeFilesUnderKills = async ({ kills, pauseMs, storage }: KillPlan) => {
  const fleet = await aFleet(storage ? { FILE_STORAGE: storage } : {});
  try {
    const { project, admin: person } = await aProject();
    const admin = withBasicAuth(person); // the API process refuses tokens of this process: its secret differs
    const sizes = Array.from({ length: PHOTOS }, (_, index) => ({ width: 300 + index, height: 240 }));
    const photos = await Promise.all(sizes.map(aPhoto));
    const [api, worker] = await Promise.all([fleet.api(), fleet.worker()]);
    const trial: Trial = {
      ...{ fleet, project: project.id, admin, processes: { api, worker } },
      ...{ photos, accepted: [], expiredReads: [], pauseMs, isOver: false },
    };
    const clients = Array.from({ length: CLIENTS }, (_, client) => runClient(trial, client));
    for (let kill = 0; kill < kills; kill += 1) await killOne(trial, kill % 2 ? 'worker' : 'api');
    await waitUntil(() => trial.accepted.length > kills && trial.accepted.some(isKept), PATIENCE_SECONDS);
    trial.isOver = true;
    await Promise.all(clients);
    await waitUntil(isSwept, PATIENCE_SECONDS);
    const files = storage ? openS3Storage(storage) : new LocalStorage(join(fleet.dataDir, 'files'));
    await expectAccepted(trial);
    await waitUntil(isAtRest, PATIENCE_SECONDS);
    const left = await expectAgreement(trial, files);
    expect(left, 'remaining files').to.be.greaterThan(0);
    expect(trial.expiredReads, 'expired files that were served').to.deep.equal([]);
    return { accepted: trial.accepted.length, left };
  } finally {
    await fleet.close();
  }
};
