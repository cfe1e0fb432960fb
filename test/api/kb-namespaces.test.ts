import { expect } from 'chai';
import { embedder } from '#shared/embedding/embedder.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { api } from '../support/api.ts';
import { aText, added } from '../support/contents.ts';
import { passages } from '../support/knowledge.ts';
import { aProject, aTeammate } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type World = Awaited<ReturnType<typeof aProject>>;

describe('Knowledge bases', () => {
  let world: World;
  let other: World;
  let root: string;

  before(async () => {
    [world, other] = await Promise.all([aProject(), aProject()]);
    root = `/v3/${world.project.id}/kb/namespace`;
  });

  const make = async (body: object = { name: 'Second' }) => (await api(world.admin).post(root, body)).body;

  it('has one default, whoever asks first and however many ask at once', async () => {
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

  it('tells the engine and the embedder that really run, and never a key', async () => {
    const [{ engine, embedding, preview_settings }] = (await api(world.admin).get(`${root}/all`)).body;
    expect(engine).to.include({ name: chunkIndex().name, apikey: '', vector_size: embedder()?.dimension ?? 0 });
    expect(embedding).to.include({ name: embedder()?.name ?? 'full text alone', api_key: '' });
    const defaults = { model: 'gpt-4o', max_tokens: 256, temperature: 0.7, top_k: 4, alpha: 0.5, context: null };
    expect(preview_settings).to.deep.equal(defaults);
  });

  it('counts the contents of each when asked', async () => {
    const { id } = await make();
    await added(world.admin, world.project.id, aText(id));
    const { body } = await api(world.admin).get(`${root}/all?count=true`);
    expect(body.find((each: { id: string }) => each.id === id).count).to.equal(1);
  });

  it('is made by POST and by GET, plain unless hybrid is asked, never default', async () => {
    const made = await make({ name: 'Plain' });
    expect(made).to.include({ name: 'Plain', hybrid: false, default: false, id_project: world.project.id });
    const { status, body } = await api(world.admin).call('GET', root, { name: 'Got', hybrid: true });
    expect(status).to.equal(200);
    expect(body).to.include({ name: 'Got', hybrid: true });
    const { body: all } = await api(world.admin).get(`${root}/all`);
    expect(all.map(({ id }: { id: string }) => id)).to.include.members([made.id, body.id]);
  });

  it('refuses a hybrid that is no boolean in the words clients know (400), and a missing name (422)', async () => {
    const refused = await api(world.admin).post(root, { name: 'x', hybrid: 'yes' });
    expect(refused.status).to.equal(400);
    expect(refused.body.error).to.equal("Value not accepted for 'hybrid' field. Expected boolean.");
    const nameless = await api(world.admin).post(root, {});
    expect(nameless.status).to.equal(422);
    expect(nameless.body.errors[0]).to.include({ path: 'name', param: 'name', location: 'body' });
  });

  it('replaces preview settings whole, keeps unknown keys and whatever is absent or empty', async () => {
    const { id } = await make();
    const settings = { model: 'm', citations: true, own: { deep: [1, null] } };
    const changed = await api(world.admin).put(`${root}/${id}`, { preview_settings: settings });
    expect(changed.body.preview_settings).to.deep.equal(settings);
    const renamed = await api(world.admin).put(`${root}/${id}`, { name: 'Third', preview_settings: null });
    expect(renamed.body).to.deep.include({ name: 'Third', preview_settings: settings });
    const kept = await api(world.admin).put(`${root}/${id}`, { name: '' });
    expect(kept.body.name).to.equal('Third');
  });

  it('knows no foreign, unknown or odd id, and makes none by an update (A1)', async () => {
    const foreign = (await api(other.admin).post(`/v3/${other.project.id}/kb/namespace`, { name: 'Theirs' })).body.id;
    for (const id of [foreign, other.project.id, '0'.repeat(24), 'null', '$ne', encodeURIComponent('a/b')]) {
      const shown = decodeURIComponent(id);
      const renamed = await api(world.admin).put(`${root}/${id}`, { name: 'Mine' });
      expect([renamed.status, renamed.body.error]).to.deep.equal([404, `Namespace not found with id ${shown}`]);
      for (const query of ['', '?content_only=true', '?contents_only=true']) {
        const removed = await api(world.admin).delete(`${root}/${id}${query}`);
        expect([removed.status, removed.body.error]).to.deep.equal([404, `No namespace found for id ${shown}`]);
      }
    }
    const { body } = await api(other.admin).get(`/v3/${other.project.id}/kb/namespace/all`);
    expect(body.map(({ name }: { name: string }) => name)).to.deep.equal(['Default', 'Theirs']);
  });

  it('is emptied by either name of the option, and deleted with everything in it', async () => {
    const { id } = await make();
    for (const option of ['content_only', 'contents_only']) {
      await added(world.admin, world.project.id, aText(id));
      await runJobs();
      expect((await passages(world.project.id, id)).indexed).to.have.lengthOf(1);
      const emptied = await api(world.admin).delete(`${root}/${id}?${option}=true`);
      expect(emptied.body).to.deep.equal({ success: true, message: 'All contents deleted successfully' });
      expect(await passages(world.project.id, id)).to.deep.include({ stored: [], indexed: [] });
    }
    await added(world.admin, world.project.id, aText(id));
    await runJobs();
    const deleted = await api(world.admin).delete(`${root}/${id}?content_only=false`);
    expect(deleted.body).to.deep.equal({ success: true, message: 'Namespace deleted succesfully' });
    expect(await passages(world.project.id, id)).to.deep.include({ stored: [], indexed: [], expected: 0 });
    expect((await api(world.admin).delete(`${root}/${id}`)).status).to.equal(404);
  });

  it('is never deleted when it is the default one, though it can be emptied', async () => {
    const { project, admin } = await aProject();
    const path = `/v3/${project.id}/kb/namespace/${project.id}`;
    const { status, body } = await api(admin).delete(path);
    expect([status, body.error]).to.deep.equal([403, 'Default namespace cannot be deleted']);
    expect((await api(admin).delete(`${path}?content_only=true`)).status).to.equal(200);
  });

  it('shows the passages of a content of its own, and of no other', async () => {
    const { id } = await make();
    const content = await added(world.admin, world.project.id, aText(id, { content: '# Hours\n\nWe open at nine.' }));
    const before = await api(world.admin).get(`${root}/${id}/chunks/${content._id}`);
    expect(before.body).to.deep.equal({ matches: [] });
    await runJobs();
    const { body } = await api(world.admin).get(`${root}/${id}/chunks/${content._id}`);
    expect(body.matches).to.have.lengthOf(1);
    expect(body.matches[0]).to.include({
      metadata_id: content._id,
      metadata_source: content.source,
      metadata_type: 'text',
    });
    expect(body.matches[0].text).to.include('We open at nine.');
    const elsewhere = await api(world.admin).get(`${root}/${world.project.id}/chunks/${content._id}`);
    expect(elsewhere.status).to.equal(403);
    expect(elsewhere.body.error).to.equal('Not allowed. The content does not belong to the current namespace.');
    const theirs = await api(other.admin).get(
      `/v3/${other.project.id}/kb/namespace/${other.project.id}/chunks/${content._id}`,
    );
    expect(theirs.status).to.equal(404);
  });

  it('is for admins', async () => {
    const owner = await api(await aTeammate(world.project.id, 'owner')).get(`${root}/all`);
    expect(owner.status).to.equal(200);
    const { status, body } = await api(world.agent).get(`${root}/all`);
    expect([status, body.msg]).to.deep.equal([403, 'you dont have the required role.']);
  });
});
