import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { Change } from '#shared/models/change.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbDeletion } from '#shared/models/kb-deletion.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import sweepRemovals from '../../workers/maintenance/sweep-removals.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { chunkIds } from '../support/knowledge.ts';
import { aProject, aTeammate } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

describe('Knowledge base namespaces', () => {
  let fixture: ProjectFixture;
  let other: ProjectFixture;
  let root: string;

  before(async () => {
    [fixture, other] = await Promise.all([aProject(), aProject()]);
    root = `/v3/${fixture.project.id}/kb/namespace`;
  });

  const make = async (body: object = { name: 'Second' }) => (await api(fixture.admin).post(root, body)).body;

  it('a project has one default namespace, even after twenty concurrent first calls', async () => {
    const { project, admin } = await aProject();
    const path = `/v3/${project.id}/kb/namespace/all`;
    const replies = await Promise.all(Array.from({ length: 20 }, () => api(admin).get(path)));
    expect(replies.map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
    const [first] = replies[0]?.body ?? [];
    expect(first).to.deep.include({
      id: project.id,
      id_project: project.id,
      name: 'Default',
      default: true,
      hybrid: false,
    });
    expect(first).to.not.have.any.keys('_id', '__v', 'count');
    expect(new Set(replies.map(({ text }) => text))).to.have.property('size', 1);
  });

  it('a namespace contains the names of the engine and the embedder in use, and no key', async () => {
    const [{ engine, embedding, preview_settings }] = (await api(fixture.admin).get(`${root}/all`)).body;
    expect(engine).to.include({ name: chunkIndex().name, apikey: '', vector_size: embedder()?.dimension ?? 0 });
    expect(engine.type).to.match(/^(LanceDB|Qdrant)$/);
    expect(JSON.stringify(engine)).to.not.include(config.DATA_DIR);
    expect(embedding).to.include({ name: embedder()?.name ?? 'full text only', api_key: '' });
    const defaults = { model: 'gpt-4o', max_tokens: 256, temperature: 0.7, top_k: 4, alpha: 0.5, context: null };
    expect(preview_settings).to.deep.equal(defaults);
  });

  it('namespace/all with count=true counts the contents of each namespace', async () => {
    const { id } = await make();
    await addContent(fixture.admin, fixture.project.id, aTextBody(id));
    const { body } = await api(fixture.admin).get(`${root}/all?count=true`);
    expect(body.find((each: { id: string }) => each.id === id).count).to.equal(1);
  });

  it('a namespace is created by POST or GET, with `hybrid` only if requested, and never as the default', async () => {
    const namespace = await make({ name: 'Plain' });
    expect(namespace).to.include({ name: 'Plain', hybrid: false, default: false, id_project: fixture.project.id });
    const { status, body } = await api(fixture.admin).call('GET', root, { name: 'Got', hybrid: true });
    expect(status).to.equal(200);
    expect(body).to.include({ name: 'Got', hybrid: true });
    const { body: all } = await api(fixture.admin).get(`${root}/all`);
    expect(all.map(({ id }: { id: string }) => id)).to.include.members([namespace.id, body.id]);
  });

  it('creating a namespace rejects a value of `hybrid` that is not a boolean (400) and a missing name (422)', async () => {
    const refused = await api(fixture.admin).post(root, { name: 'x', hybrid: 'yes' });
    expect(refused.status).to.equal(400);
    expect(refused.body.error).to.equal("Value not accepted for 'hybrid' field. Expected boolean.");
    const nameless = await api(fixture.admin).post(root, {});
    expect(nameless.status).to.equal(422);
    expect(nameless.body.errors[0]).to.include({ path: 'name', param: 'name', location: 'body' });
  });

  it('PUT replaces the preview settings of a namespace as a whole, and fields that are absent, null or empty in the body stay unchanged', async () => {
    const { id } = await make();
    const settings = { model: 'm', citations: true, own: { deep: [1, null] } };
    const changed = await api(fixture.admin).put(`${root}/${id}`, { preview_settings: settings });
    expect(changed.body.preview_settings).to.deep.equal(settings);
    const renamed = await api(fixture.admin).put(`${root}/${id}`, { name: 'Third', preview_settings: null });
    expect(renamed.body).to.deep.include({ name: 'Third', preview_settings: settings });
    const unchanged = await api(fixture.admin).put(`${root}/${id}`, { name: '' });
    expect(unchanged.body.name).to.equal('Third');
  });

  it('updating or deleting a namespace with a foreign, unknown or malformed id returns 404, and the foreign namespace stays unchanged', async () => {
    const foreign = (await api(other.admin).post(`/v3/${other.project.id}/kb/namespace`, { name: 'Theirs' })).body.id;
    for (const id of [foreign, other.project.id, '0'.repeat(24), 'null', '$ne', encodeURIComponent('a/b')]) {
      const decoded = decodeURIComponent(id);
      const renamed = await api(fixture.admin).put(`${root}/${id}`, { name: 'Mine' });
      expect([renamed.status, renamed.body.error]).to.deep.equal([404, `Namespace not found with id ${decoded}`]);
      for (const query of ['', '?content_only=true', '?contents_only=true']) {
        const removed = await api(fixture.admin).delete(`${root}/${id}${query}`);
        expect([removed.status, removed.body.error]).to.deep.equal([404, `No namespace found for id ${decoded}`]);
      }
    }
    const { body } = await api(other.admin).get(`/v3/${other.project.id}/kb/namespace/all`);
    expect(body.map(({ name }: { name: string }) => name)).to.deep.equal(['Default', 'Theirs']);
  });

  it('DELETE removes a namespace with its contents or, with content_only or contents_only, only its contents', async () => {
    const { id } = await make();
    for (const option of ['content_only', 'contents_only']) {
      await addContent(fixture.admin, fixture.project.id, aTextBody(id));
      await runJobs();
      expect((await chunkIds(fixture.project.id, id)).indexed).to.have.lengthOf(1);
      const emptied = await api(fixture.admin).delete(`${root}/${id}?${option}=true`);
      expect(emptied.body).to.include({ success: true, message: 'All contents deleted successfully' });
      expect(emptied.body.deletion).to.include({ kind: 'contents', namespace: id, deleted: 1 });
      expect(await chunkIds(fixture.project.id, id)).to.deep.include({ stored: [], indexed: [] });
    }
    await addContent(fixture.admin, fixture.project.id, aTextBody(id));
    await runJobs();
    const deleted = await api(fixture.admin).delete(`${root}/${id}?content_only=false`);
    // Deployed clients read the misspelled message.
    expect(deleted.body).to.include({ success: true, message: 'Namespace deleted succesfully' });
    expect(await chunkIds(fixture.project.id, id)).to.deep.include({ stored: [], indexed: [], expected: 0 });
    expect((await api(fixture.admin).delete(`${root}/${id}`)).status).to.equal(404);
  });

  it('a job completes an interrupted deletion, and the record at kb/deletions/:id then counts all deleted contents', async () => {
    const { id } = await make();
    const id_project = fixture.project.id;
    const read = async (deletion: string) =>
      (await api(fixture.admin).get(`/v3/${id_project}/kb/deletions/${deletion}`)).body;
    for (let count = 0; count < 3; count++) await addContent(fixture.admin, id_project, aTextBody(id));
    const { _id } = await KbDeletion.create({ id_project, namespace: id, kind: 'namespace', deleted: 4 });
    expect(await read(String(_id)))
      .to.include({ deleted: 4, namespace: id })
      .and.to.not.have.property('finishedAt');
    await sweepRemovals({}, AbortSignal.timeout(10_000));
    await runJobs();
    expect(await read(String(_id)))
      .to.include({ deleted: 7 })
      .and.to.have.property('finishedAt');
    expect((await api(fixture.admin).delete(`${root}/${id}`)).status).to.equal(404);
    expect(await KbContent.countDocuments({ id_project, namespace: id })).to.equal(0);
    const deletions = (await relayedChanges(id_project)).filter(({ event }) => event === 'kb.namespace.delete');
    const entry = await Change.findOne({ id_project, event: 'kb.namespace.delete', 'payload.id': id }).lean();
    expect([deletions.length > 0, (entry?.payload as { count?: number })?.count]).to.deep.equal([true, 7]);
  });

  it('the default namespace cannot be deleted (403), but can be emptied', async () => {
    const { project, admin } = await aProject();
    const path = `/v3/${project.id}/kb/namespace/${project.id}`;
    const { status, body } = await api(admin).delete(path);
    expect([status, body.error]).to.deep.equal([403, 'Default namespace cannot be deleted']);
    expect((await api(admin).delete(`${path}?content_only=true`)).status).to.equal(200);
  });

  it('the chunks of a content can be read only in the namespace of the content', async () => {
    const { id } = await make();
    const content = await addContent(
      fixture.admin,
      fixture.project.id,
      aTextBody(id, { content: '# Hours\n\nWe open at nine.' }),
    );
    const before = await api(fixture.admin).get(`${root}/${id}/chunks/${content._id}`);
    expect(before.body).to.deep.equal({ matches: [] });
    await runJobs();
    const { body } = await api(fixture.admin).get(`${root}/${id}/chunks/${content._id}`);
    expect(body.matches).to.have.lengthOf(1);
    expect(body.matches[0]).to.include({
      metadata_id: content._id,
      metadata_source: content.source,
      metadata_type: 'text',
    });
    expect(body.matches[0].text).to.include('We open at nine.');
    const wrongNamespace = await api(fixture.admin).get(`${root}/${fixture.project.id}/chunks/${content._id}`);
    expect(wrongNamespace.status).to.equal(403);
    expect(wrongNamespace.body.error).to.equal('Not allowed. The content does not belong to the current namespace.');
    const otherProject = await api(other.admin).get(
      `/v3/${other.project.id}/kb/namespace/${other.project.id}/chunks/${content._id}`,
    );
    expect(otherProject.status).to.equal(404);
  });

  it('admins and owners can read namespaces, and agents cannot (403)', async () => {
    const owner = await api(await aTeammate(fixture.project.id, 'owner')).get(`${root}/all`);
    expect(owner.status).to.equal(200);
    const { status, body } = await api(fixture.agent).get(`${root}/all`);
    // Deployed clients read this message.
    expect([status, body.msg]).to.deep.equal([403, 'you dont have the required role.']);
  });
});
