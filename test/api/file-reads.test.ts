/** Reads of files and thumbnails over HTTP. */
import { mock } from 'node:test';
import { expect } from 'chai';
import sharp from 'sharp';
import type { RenderError } from '#shared/domain/files/images.ts';
import { sweepFiles } from '#shared/domain/files/remove-file.ts';
import { makeThumbnail } from '#shared/domain/files/thumbnails.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import type { ProjectFixture } from '../support/record-makers.ts';
import { runJobs } from '../support/run-jobs.ts';
import { aPhoto, readBytes, storedKeys, uploadFile } from '../support/uploads.ts';

describe('File reads', () => {
  let fixture: ProjectFixture;
  let base: string;
  before(async () => {
    fixture = await aProject();
    base = `/v3/${fixture.project.id}/files`;
  });

  describe('GET /v3/files', () => {
    let text: string;
    before(async () => {
      const sent = { name: 'numbers.txt', bytes: '0123456789' };
      text = (await uploadFile(fixture.agent, `${base}/chat`, sent)).body.filename;
    });

    it('needs no credentials, and sends headers that keep a browser from running the file', async () => {
      const { status, headers, bytes } = await readBytes(`/v3/files?path=${text}`);
      expect([status, String(bytes)]).to.deep.equal([200, '0123456789']);
      expect(headers).to.include({
        'content-type': 'text/plain',
        'content-length': '10',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache',
      });
      expect(headers['content-security-policy']).to.include("default-src 'none'").and.to.include('sandbox');
      expect(headers).to.not.have.property('content-disposition');
    });

    it('accepts a path that is encoded twice, and is also available as /v3/:project_id/files and /v3/images', async () => {
      for (const path of [
        `/v3/files?path=${encodeURIComponent(text)}`,
        `${base}?path=${text}`,
        `/v3/images?path=${text}`,
      ])
        expect((await readBytes(path)).status, path).to.equal(200);
    });

    it('sends the file as an attachment under its name if as_attachment is set or the path ends in /download', async () => {
      for (const path of [
        `/v3/files?path=${text}&as_attachment=1`,
        `/v3/files/download?path=${text}`,
        `${base}/download?path=${text}`,
      ])
        expect((await readBytes(path)).headers['content-disposition'], path).to.equal(
          'attachment; filename="numbers.txt"',
        );
    });

    it('returns 206 for a range, and 416 for a range outside the file', async () => {
      const get = (range: string, more = {}) => readBytes(`/v3/files?path=${text}`, { range, ...more });
      for (const [range, part] of [
        ['bytes=2-4', '234'],
        ['bytes=7-', '789'],
        ['bytes=-3', '789'],
        ['bytes=8-99', '89'],
      ] as const) {
        const { status, headers, bytes } = await get(range);
        expect([status, String(bytes), headers['content-length']], range).to.deep.equal([
          206,
          part,
          String(part.length),
        ]);
        expect(headers['content-range']).to.match(/^bytes \d-9\/10$|^bytes 2-4\/10$/);
      }
      for (const range of ['bytes=4-2', 'bytes=1-2,4-5', 'lines=1-2', 'bytes=-'])
        expect((await get(range)).status, range).to.equal(200);
      const outside = await get('bytes=10-');
      expect([outside.status, outside.headers['content-range']]).to.deep.equal([416, 'bytes */10']);
      const { etag = '' } = (await get('bytes=0-1')).headers;
      expect((await get('bytes=0-1', { 'if-range': String(etag) })).status).to.equal(206);
      expect((await get('bytes=0-1', { 'if-range': '"other"' })).status).to.equal(200);
    });

    it('returns 304 if If-None-Match contains the ETag of the file, and no bytes for HEAD', async () => {
      const { headers } = await readBytes(`/v3/files?path=${text}`);
      const cached = await readBytes(`/v3/files?path=${text}`, { 'if-none-match': String(headers.etag) });
      expect([cached.status, cached.bytes.length]).to.deep.equal([304, 0]);
      const head = await readBytes(`/v3/files?path=${text}`, {}, 'HEAD');
      expect([head.status, head.headers['content-length'], head.bytes.length]).to.deep.equal([200, '10', 0]);
    });

    it('returns 400 without a path and 404 for an unknown path, with the specified messages', async () => {
      for (const form of ['/v3/files', '/v3/files/download', base]) {
        const missing = await api().get(form);
        expect([missing.status, missing.body.error]).to.deep.equal([400, 'Path parameter is required']);
        const unknown = await api().get(`${form}?path=uploads%2Fpublic%2Ffiles%2Fx%2Fy.png`);
        expect(unknown.status).to.equal(404);
        expect(unknown.body).to.include({ success: false, error: 'File not found.' });
      }
      const image = await api().get('/v3/images?path=uploads%2Fx');
      expect([image.status, image.body.msg]).to.deep.equal([404, 'Image not found.']);
    });

    it('does not serve an expired file, and the sweep removes it with its thumbnail', async () => {
      const bytes = await aPhoto();
      const sent = { name: 'gone.jpg', type: 'image/jpeg', bytes };
      const { body } = await uploadFile(fixture.admin, `${base}/assets?expiration=3600`, sent);
      await runJobs();
      const before = (await storedKeys(`uploads/projects/${fixture.project.id}/`)).length;
      const path = decodeURIComponent(body.filename);
      const past = new Date(Date.now() - 1000);
      await StoredFile.updateOne({ id_project: fixture.project.id, path }, { expiresAt: past, nextSweepAt: past });
      for (const each of [body.filename, body.thumbnail])
        expect((await readBytes(`/v3/files?path=${each}`)).status).to.equal(404);
      await sweepFiles(() => false);
      expect(await storedKeys(`uploads/projects/${fixture.project.id}/`)).to.have.lengthOf(before - 2);
      expect(await StoredFile.exists({ id_project: fixture.project.id, path })).to.equal(null);
    });
  });

  describe('Thumbnails', () => {
    const storedFile = (filename: string) =>
      StoredFile.findOne({ id_project: fixture.project.id, path: decodeURIComponent(filename) })
        .orFail()
        .lean();

    it('a thumbnail is upright and contains no metadata', async () => {
      const bytes = await aPhoto({ width: 400, height: 200, orientation: 6 });
      const { body } = await uploadFile(fixture.admin, `${base}/assets`, { name: 'p.jpg', type: 'image/jpeg', bytes });
      // No job runs here: the request waits in vain for a job to create the thumbnail, and then creates it itself.
      const thumbnail = await readBytes(`/v3/files?path=${body.thumbnail}`);
      expect(thumbnail.status).to.equal(200);
      const metadata = await sharp(thumbnail.bytes).metadata();
      expect(metadata).to.include({ width: 200, height: 200 });
      expect(metadata).to.not.have.any.keys('exif', 'orientation', 'xmp', 'iptc');
      expect(String(thumbnail.bytes)).to.not.include('secret place');
      expect(String(bytes)).to.include('secret place');
    });

    it('reading the thumbnail of an image that cannot be decoded returns 404, and the image stays readable', async () => {
      const bytes = (await aPhoto()).subarray(0, 1500);
      const { body } = await uploadFile(fixture.admin, `${base}/assets`, { name: 'p.jpg', type: 'image/jpeg', bytes });
      await runJobs();
      expect((await readBytes(`/v3/files?path=${body.thumbnail}`)).status).to.equal(404);
      expect((await readBytes(`/v3/files?path=${body.filename}`)).status).to.equal(200);
      expect((await storedFile(body.filename)).thumbnail).to.deep.equal({ status: 'failed', failure: 'undecodable' });
    });

    it('an image that is not decoded in time is tried again, and gets no thumbnail after the fifth timeout', async () => {
      const sent = { name: 'p.jpg', type: 'image/jpeg', bytes: await aPhoto() };
      const upload = async () => (await uploadFile(fixture.admin, `${base}/assets`, sent)).body.filename;
      const attempt = async (filename: string) => {
        const { _id, id_project } = await storedFile(filename);
        await makeThumbnail({ _id: String(_id), id_project }).catch(({ failure }: RenderError) => failure);
        return (await storedFile(filename)).thumbnail;
      };
      const [slow, busy] = [await upload(), await upload()];
      const message = 'timeout: 58% complete\nVipsImage: killed for image "temp-42"';
      const { mock: mocked } = mock.method(sharp.prototype, 'toBuffer', () => Promise.reject(new Error(message)));
      try {
        for (const timeouts of [1, 2, 3, 4]) expect(await attempt(slow)).to.deep.equal({ status: 'pending', timeouts });
        expect(await attempt(slow)).to.deep.equal({ status: 'failed', failure: 'timeout' });
        expect(await attempt(busy)).to.deep.equal({ status: 'pending', timeouts: 1 });
      } finally {
        mocked.restore();
      }
      expect(await attempt(busy)).to.include({ status: 'stored' });
    });
  });
});
