/** Uploads and deletions of files over HTTP. */
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { spend } from '#shared/budgets/budgets.ts';
import { sweepFiles } from '#shared/domain/files/remove-file.ts';
import { FileUsage } from '#shared/models/file-usage.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import sharp from 'sharp';
import { api, type Caller } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject, aTeammate, aVisitor } from '../support/people.ts';
import type { ProjectFixture } from '../support/record-makers.ts';
import { runJobs } from '../support/run-jobs.ts';
import { anImage, readBytes, storedKeys, uploadFile } from '../support/uploads.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

describe('File uploads and deletions', () => {
  let fixture: ProjectFixture;
  let base: string;
  before(async () => {
    fixture = await aProject();
    base = `/v3/${fixture.project.id}/files`;
  });

  describe('POST /v3/:project_id/files/assets', () => {
    it('stores an asset and its thumbnail at the specified paths', async () => {
      const bytes = await anImage('png');
      const { status, body } = await uploadFile(fixture.admin, `${base}/assets`, {
        name: 'lögo 1.png',
        type: 'image/png',
        bytes,
      });
      expect(status).to.equal(201);
      expect(body.message).to.equal('File uploaded successfully');
      const path = decodeURIComponent(body.filename);
      expect(path).to.match(new RegExp(`^uploads/projects/${fixture.project.id}/files/${UUID}/lögo 1\\.png$`));
      expect(decodeURIComponent(body.thumbnail)).to.equal(path.replace('lögo', 'thumbnails_200_200-lögo'));
      await runJobs();
      const thumbnail = await readBytes(`/v3/files?path=${body.thumbnail}`);
      expect(thumbnail.status).to.equal(200);
      expect(await sharp(thumbnail.bytes).metadata()).to.include({ width: 200, height: 200, format: 'png' });
      expect((await readBytes(`/v3/files?path=${body.filename}`)).bytes.equals(bytes)).to.equal(true);
    });

    it('sets the expiry only for an `expiration` above 0', async () => {
      const upload = async (query: string) => {
        const { body } = await uploadFile(fixture.admin, `${base}/assets${query}`, { bytes: 'text' });
        const path = decodeURIComponent(body.filename);
        return StoredFile.findOne({ id_project: fixture.project.id, path }).orFail().lean();
      };
      expect((await upload('?expiration=0')).expiresAt).to.equal(undefined);
      expect((await upload('')).expiresAt).to.equal(undefined);
      const { expiresAt, createdAt } = await upload('?expiration=3600');
      expect(Math.round((Number(expiresAt) - Number(createdAt)) / 1000)).to.equal(3600);
    });

    it('stores a file whose deletion emits file.delete with the last state of the file', async () => {
      const { body } = await uploadFile(fixture.admin, `${base}/assets`, { name: 'told.txt', bytes: 'text' });
      await api(fixture.admin).delete(`/v3/files?path=${body.filename}`);
      const changes = (await relayedChanges(fixture.project.id)).filter(({ payload }) => payload.name === 'told.txt');
      expect(changes.map(({ event }) => event)).to.include('file.delete');
      expect(changes.at(-1)?.payload).to.include({ kind: 'asset', type: 'text/plain', size: 4 });
    });
  });

  describe('POST /v3/:project_id/files/chat', () => {
    it('stores the file of a visitor for 30 days, without a thumbnail', async () => {
      const bytes = await anImage('jpeg');
      const { status, body } = await uploadFile(fixture.guest, `${base}/chat`, {
        name: 'a.jpg',
        type: 'image/jpeg',
        bytes,
      });
      expect(status).to.equal(201);
      expect(body).to.have.all.keys('message', 'filename');
      const path = decodeURIComponent(body.filename);
      const file = await StoredFile.findOne({ id_project: fixture.project.id, path }).orFail().lean();
      expect(Math.round((Number(file.expiresAt) - Number(file.createdAt)) / 1000)).to.equal(2_592_000);
      expect(file).to.include({ kind: 'chat', createdBy: fixture.guest.id, status: 'stored' });
    });

    it('applies the extension lists that the project sets for teammates and for visitors', async () => {
      const { project, admin, agent, guest } = await aProject();
      await api(admin).put(`/v3/projects/${project.id}`, {
        'settings.allowed_upload_extentions': '.md,.txt',
        widget: { allowedUploadExtentions: '.csv' },
      });
      const statusOf = async (caller: typeof agent, name: string, type: string) =>
        (await uploadFile(caller, `/v3/${project.id}/files/chat`, { name, type, bytes: 'a,b\n' })).status;
      expect(await statusOf(agent, 'a.md', 'text/markdown')).to.equal(201);
      expect(await statusOf(agent, 'a.csv', 'text/csv')).to.equal(403);
      expect(await statusOf(guest as typeof agent, 'a.csv', 'text/csv')).to.equal(201);
      expect(await statusOf(guest as typeof agent, 'a.md', 'text/markdown')).to.equal(403);
    });

    it('returns 429 when the visitors of the project have used up their daily byte budget', async () => {
      const { project, guest, agent } = await aProject();
      const budget = { id_project: project.id, name: 'visitor-files', seconds: 86_400 };
      await spend(budget, config.VISITOR_FILE_BYTES_PER_DAY - 5);
      const send = (caller: Caller) => uploadFile(caller, `/v3/${project.id}/files/chat`, { bytes: 'text' });
      expect((await send(guest)).status).to.equal(201);
      const refused = await send(guest);
      expect([refused.status, refused.body.code]).to.deep.equal([429, 'FILE_BUDGET_EXHAUSTED']);
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 86_400);
      expect((await send(agent)).status).to.equal(201);
    });
  });

  describe('POST /v3/:project_id/files/users/photo', () => {
    it('stores the avatar at a fixed path, and leaves no bytes of the avatar that it replaces', async () => {
      const path = `uploads/users/${fixture.agent.id}/images/photo.jpg`;
      for (const format of ['png', 'jpeg'] as const) {
        const bytes = await anImage(format);
        const { status, body } = await uploadFile(fixture.agent, `${base}/users/photo`, {
          name: `me.${format}`,
          type: `image/${format}`,
          bytes,
        });
        expect(status).to.equal(201);
        expect(body.message).to.equal('Image uploaded successfully');
        expect(decodeURIComponent(body.filename)).to.equal(path);
        await runJobs();
        const stored = await readBytes(`/v3/images?path=${body.filename}`);
        expect(stored.bytes.equals(bytes)).to.equal(true);
        expect(stored.headers['content-type']).to.equal(`image/${format}`);
      }
      await StoredFile.updateMany({ id_project: 'instance', path, status: 'deleting' }, { nextSweepAt: new Date() });
      await sweepFiles(() => false);
      expect(await storedKeys(`uploads/users/${fixture.agent.id}/`)).to.have.lengthOf(2);
    });

    it('accepts the avatar of a bot from admins of its project only', async () => {
      const bot = (await api(fixture.admin).post(`/v3/${fixture.project.id}/bots`, { name: 'Bot' })).body._id;
      const other = await aProject();
      const bytes = await anImage();
      const send = (caller: typeof other.admin, project: string, bot_id: string) =>
        uploadFile(caller, `/v3/${project}/files/users/photo?bot_id=${bot_id}`, {
          name: 'b.png',
          type: 'image/png',
          bytes,
        });
      const own = await send(fixture.admin, fixture.project.id, bot);
      expect(own.status).to.equal(201);
      expect(decodeURIComponent(own.body.filename)).to.equal(`uploads/users/${bot}/images/photo.jpg`);
      const agent = await send(fixture.agent, fixture.project.id, bot);
      expect([agent.status, agent.body.error]).to.deep.equal([
        403,
        "You don't have the role required to modify the chatbot",
      ]);
      const foreign = await send(other.admin, other.project.id, bot);
      expect([foreign.status, foreign.body.error]).to.deep.equal([401, "You don't belong to the chatbot's project"]);
      const unknown = await send(fixture.admin, fixture.project.id, '0'.repeat(24));
      expect([unknown.status, unknown.body.error]).to.deep.equal([404, 'Chatbot not found']);
    });
  });

  describe('DELETE /v3/files', () => {
    const anAsset = async () => (await uploadFile(fixture.admin, `${base}/assets`, { bytes: 'text' })).body.filename;
    const aChatFile = async () => (await uploadFile(fixture.guest, `${base}/chat`, { bytes: 'text' })).body.filename;

    it('deletes a file with its thumbnail, and subtracts its bytes from the used quota', async () => {
      const { project, admin } = await aProject();
      const sent = { name: 'a.png', type: 'image/png', bytes: await anImage() };
      const { body } = await uploadFile(admin, `/v3/${project.id}/files/assets`, sent);
      await runJobs();
      const usage = async () => (await FileUsage.findOne({ id_project: project.id }).orFail().lean()).bytes;
      expect(await usage()).to.equal(sent.bytes.length);
      const deleted = await api(admin).delete(`/v3/files?path=${body.filename}`);
      expect([deleted.status, deleted.body]).to.deep.equal([
        200,
        { message: 'File deleted successfully', filename: body.filename },
      ]);
      expect(await usage()).to.equal(0);
      for (const path of [body.filename, body.thumbnail])
        expect((await readBytes(`/v3/files?path=${path}`)).status).to.equal(404);
      expect(await storedKeys(`uploads/projects/${project.id}/`)).to.deep.equal([]);
      expect((await api(admin).delete(`/v3/files?path=${body.filename}`)).body.error).to.equal('File not found.');
    });

    it('requires an agent of the project to which the file belongs, or an admin if the file is an asset', async () => {
      const other = await aProject();
      const [asset, chat] = [await anAsset(), await aChatFile()];
      const statusOf = async (caller: Parameters<typeof api>[0], form: string, path: string) =>
        (await api(caller).delete(`${form}?path=${path}`)).status;
      const visitor = await aVisitor(fixture.project.id);
      for (const caller of [visitor, fixture.guest, other.owner])
        for (const path of [asset, chat]) expect(await statusOf(caller, '/v3/files', path)).to.equal(403);
      expect(await statusOf(other.owner, `/v3/${other.project.id}/files`, chat)).to.equal(404);
      expect(await statusOf(undefined, '/v3/files', chat)).to.equal(401);
      for (const form of ['/v3/files', base]) expect(await statusOf(fixture.agent, form, asset)).to.equal(403);
      expect(await statusOf(fixture.agent, base, chat)).to.equal(200);
      const admin = await aTeammate(fixture.project.id, 'admin');
      expect(await statusOf(admin, base, asset)).to.equal(200);
    });

    it('returns 400 without a path or a file name', async () => {
      const errorOf = async (path: string) => {
        const { status, body } = await api(fixture.admin).delete(path);
        return [status, body.error];
      };
      expect(await errorOf('/v3/files')).to.deep.equal([400, 'Path parameter is required']);
      expect(await errorOf('/v3/files?path=uploads/public/')).to.deep.equal([400, 'No filename specified in path']);
    });
  });

  // These clients upload without a project, and read the misspelled messages.
  describe('Calls of legacy clients', () => {
    it('POST /v3/files/users and /v3/images/users store files that only the caller can delete', async () => {
      const file = await uploadFile(fixture.guest, '/v3/files/users', { bytes: 'text' });
      expect([file.status, file.body.message]).to.deep.equal([201, 'File uploded successfully']);
      expect(decodeURIComponent(file.body.filename)).to.match(
        new RegExp(`^uploads/users/${fixture.guest.id}/files/${UUID}/a\\.txt$`),
      );
      const sent = { name: 'i.webp', type: 'image/webp', bytes: await anImage('webp') };
      const image = await uploadFile(fixture.agent, '/v3/images/users', sent);
      expect([image.status, image.body.message]).to.deep.equal([201, 'Image uploded successfully']);
      const deleted = `/v3/images/users?path=${image.body.filename}`;
      expect((await api(fixture.owner).delete(deleted)).status).to.equal(403);
      expect((await api(fixture.agent).delete(deleted)).body.message).to.equal('Image deleted successfully');
    });

    it('POST /v3/files/public and /v3/images/public store files without an owner, which no caller can delete', async () => {
      const { status, body } = await uploadFile(undefined, '/v3/files/public', { bytes: 'text' });
      expect(status).to.equal(201);
      expect(decodeURIComponent(body.filename)).to.match(new RegExp(`^uploads/public/files/${UUID}/a\\.txt$`));
      expect((await api(fixture.owner).delete(`/v3/files?path=${body.filename}`)).status).to.equal(403);
      const sent = { name: 'i.png', type: 'image/png', bytes: await anImage() };
      expect((await uploadFile(undefined, '/v3/images/public', sent)).status).to.equal(201);
    });

    it('PUT /v3/images/users and /v3/images/users/photo return 409 if the file already exists', async () => {
      const { agent } = await aProject();
      const sent = { name: 'i.png', type: 'image/png', bytes: await anImage(), method: 'PUT' as const };
      expect((await uploadFile(agent, '/v3/images/users', sent)).status).to.equal(201);
      const again = await uploadFile(agent, '/v3/images/users', sent);
      expect([again.status, again.body.msg]).to.deep.equal([409, 'Error uploading user image, file already exists']);
      expect((await uploadFile(agent, '/v3/images/users/photo', sent)).status).to.equal(201);
      const photo = await uploadFile(agent, '/v3/images/users/photo', sent);
      expect([photo.status, photo.body.msg]).to.deep.equal([409, 'Error uploading photo image, file already exists']);
      expect((await uploadFile(agent, '/v3/images/users/photo?force=true', sent)).status).to.equal(201);
    });
  });
});
