/**
 * Measures the cost of a thumbnail compared with a bare call to the sharp library, the time until a thumbnail is ready,
 * and the progress of many thumbnails during an import.
 */
import { expect } from 'chai';
import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { newId, newUuid } from '#shared/context.ts';
import { makeThumbnail } from '#shared/domain/files/thumbnails.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { primaryStorage } from '#shared/storage/storages.ts';
import { call } from '../support/api.ts';
import { aSite } from '../support/fake-site.ts';
import { aFleet } from '../support/fleet.ts';
import { pageOfSections } from '../support/numbered-pages.ts';
import { aProject } from '../support/people.ts';
import { withBasicAuth } from '../support/retrying-clients.ts';
import { aPhoto, uploadFile } from '../support/uploads.ts';
import { waitUntil } from '../support/wait-until.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 25);
const MAX_RATIO = 1.2;
const THUMBNAILS = Number(process.env.BENCH_THUMBNAILS ?? 1000);
const PAGES = 600;
const WAITS = 20;
const MAX_WAIT_MS = 1000;
const UPLOADS_AT_ONCE = 5;

interface Cost {
  cpuMs: number;
  wallMs: number;
}

const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - started };
};

const medianOfNumbers = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const medianOf = (costs: Cost[], key: keyof Cost): number => medianOfNumbers(costs.map((cost) => cost[key]));

describe('Thumbnails', function () {
  this.timeout(1_800_000);

  it(`a thumbnail of a JPEG with 12 megapixels takes at most ${MAX_RATIO} times the processor time of sharp alone`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'thumbnails-'));
    const photo = await aPhoto({ width: 4000, height: 3000 });
    const file = join(folder, 'photo.jpg');
    await writeFile(file, photo);
    const { project } = await aProject();
    const storePhoto = async () => {
      const source = join(folder, newUuid());
      await writeFile(source, photo);
      const key = { _id: newId(), id_project: project.id };
      const path = `uploads/projects/${project.id}/files/${newUuid()}/photo.jpg`;
      const fields = { kind: 'asset' as const, status: 'stored' as const, path, key: path, name: 'photo.jpg' };
      const size = photo.length;
      await primaryStorage.put(path, { path: source, size, type: 'image/jpeg' });
      const thumbnail = { status: 'pending' as const };
      await StoredFile.create([
        { ...key, ...fields, type: 'image/jpeg', size, hash: hash('sha256', photo), thumbnail, createdBy: 'bench' },
      ]);
      return key;
    };
    const bare = () => sharp(file).autoOrient().resize(200, 200, { fit: 'cover' }).toFile(join(folder, 'bare.jpg'));
    await bare();
    await makeThumbnail(await storePhoto());
    const costs: { bare: Cost[]; own: Cost[] } = { bare: [], own: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = await storePhoto();
      costs.bare.push(await costOf(bare));
      costs.own.push(await costOf(() => makeThumbnail(key)));
    }
    const ratioOf = (key: keyof Cost): number => medianOf(costs.own, key) / medianOf(costs.bare, key);
    const line = (key: keyof Cost) =>
      `${medianOf(costs.own, key).toFixed(1)} ms, bare ${medianOf(costs.bare, key).toFixed(1)} ms, ratio ${ratioOf(key).toFixed(2)}`;
    console.log(`      CPU ${line('cpuMs')}; wall ${line('wallMs')}; photo ${(photo.length / 1e6).toFixed(1)} MB`);
    expect(ratioOf('cpuMs')).to.be.at.most(MAX_RATIO);
    expect(await StoredFile.countDocuments({ id_project: project.id, 'thumbnail.status': 'stored' })).to.equal(
      ROUNDS + 1,
    );
    await rm(folder, { recursive: true, force: true });
  });

  for (const size of [
    { width: 1600, height: 1200 },
    { width: 4000, height: 3000 },
  ])
    it(`the thumbnail of a photo of ${size.width} × ${size.height} pixels is ready within ${MAX_WAIT_MS} ms of the upload`, async () => {
      const fleet = await aFleet();
      try {
        const [{ url }] = await Promise.all([fleet.api(), fleet.worker()]);
        const { project, admin: person } = await aProject();
        const admin = withBasicAuth(person); // the API process has its own secret and refuses tokens from this process
        const sent = { name: 'photo.jpg', type: 'image/jpeg', bytes: await aPhoto(size), url };
        const measure = async (): Promise<number> => {
          const { status, body, text } = await uploadFile(admin, `/v3/${project.id}/files/assets`, sent);
          expect(status, text).to.equal(201);
          const started = performance.now();
          // If the thumbnail were read while it is pending, the API would create it.
          const pending = { id_project: project.id, 'thumbnail.status': 'pending' } as const;
          await waitUntil(async () => !(await StoredFile.exists(pending)));
          expect((await call('GET', `${url}/v3/files?path=${body.thumbnail}`)).status).to.equal(200);
          return performance.now() - started;
        };
        await measure();
        const waits: number[] = [];
        for (let upload = 0; upload < WAITS; upload += 1) waits.push(await measure());
        const [median, max] = [medianOfNumbers(waits), Math.max(...waits)];
        console.log(`      median ${median.toFixed(0)} ms, maximum ${max.toFixed(0)} ms of ${WAITS} uploads`);
        expect(max).to.be.at.most(MAX_WAIT_MS);
      } finally {
        await fleet.close();
      }
    });

  it(`one worker makes progress with both ${THUMBNAILS} thumbnails and an import of ${PAGES} pages`, async () => {
    const site = await aSite();
    const sources = Array.from({ length: PAGES }, (_, index) => {
      site.pages[`/page${index}`] = pageOfSections(`page${index}`, 5);
      return site.url(`/page${index}`);
    });
    const fleet = await aFleet();
    try {
      const { url } = await fleet.api();
      const { project, admin: person } = await aProject();
      const admin = withBasicAuth(person); // the API process has its own secret and refuses tokens from this process
      const bytes = await aPhoto({ width: 1600, height: 1200 });
      const sent = { name: 'photo.jpg', type: 'image/jpeg', bytes, url };
      for (let index = 0; index < THUMBNAILS; index += UPLOADS_AT_ONCE) {
        const uploads = Array.from({ length: UPLOADS_AT_ONCE }, () =>
          uploadFile(admin, `/v3/${project.id}/files/assets`, sent),
        );
        for (const { status, text } of await Promise.all(uploads)) expect(status, text).to.equal(201);
      }
      const { authorization } = admin;
      const added = await call('POST', `${url}/v3/${project.id}/kb/multi?namespace=${project.id}`, {
        body: { list: sources },
        headers: { authorization },
      });
      expect(added.status, added.text).to.equal(200);
      const id_project = project.id;
      const progress = async () => ({
        thumbnails: await StoredFile.countDocuments({ id_project, 'thumbnail.status': 'stored' }),
        pages: await KbContent.countDocuments({ id_project, status: CONTENT_STATUS.indexed }),
      });
      await fleet.worker();
      const started = performance.now();
      const samples: { thumbnails: number; pages: number; seconds: number }[] = [];
      for (;;) {
        const sample = { ...(await progress()), seconds: (performance.now() - started) / 1000 };
        samples.push(sample);
        if (sample.thumbnails >= THUMBNAILS && sample.pages >= PAGES) break;
        await sleep(200);
      }
      const half = (name: 'thumbnails' | 'pages', all: number) => samples.find((sample) => sample[name] >= all / 2);
      const end = (name: 'thumbnails' | 'pages', all: number) => samples.find((sample) => sample[name] >= all)?.seconds;
      const [halfThumbnails, halfPages] = [half('thumbnails', THUMBNAILS), half('pages', PAGES)];
      console.log(
        `      thumbnails done after ${end('thumbnails', THUMBNAILS)?.toFixed(1)} s, pages after ${end('pages', PAGES)?.toFixed(1)} s; ` +
          `${halfThumbnails?.pages} pages done when half of the thumbnails were done, ${halfPages?.thumbnails} thumbnails done when half of the pages were`,
      );
      // The import ends first, because its pages are small. Thumbnails must make progress in the meantime.
      expect(halfThumbnails?.pages).to.be.greaterThan(PAGES / 100);
      expect(halfPages?.thumbnails).to.be.greaterThan(THUMBNAILS / 100);
    } finally {
      await fleet.close();
      await site.close();
    }
  });
});
