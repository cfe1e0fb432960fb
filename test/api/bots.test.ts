/** Bots: fields, templates, trash, publishing, copies. */
import { expect } from 'chai';
import { sweepFiles } from '#shared/domain/files/remove-file.ts';
import { IntentVector } from '#shared/models/intent-vector.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { anImage, readBytes, storedKeys, uploadFile } from '../support/uploads.ts';

type Fixture = Awaited<ReturnType<typeof aProject>>;

describe('Bots of a project', () => {
  let fixture: Fixture;
  const root = () => `/v3/${fixture.project.id}/bots`;
  const create = async (body: object) => (await api(fixture.admin).post(root(), body)).body;
  const intentsOf = async (bot: string) =>
    (await api(fixture.admin).get(`/v3/${fixture.project.id}/faq?id_faq_kb=${bot}`)).body;
  const namesOf = async (bot: string): Promise<string[]> =>
    (await intentsOf(bot)).map(({ intent_display_name }: { intent_display_name: string }) => intent_display_name);

  before(async () => {
    fixture = await aProject();
  });

  it('by default, POST bots creates an internal bot with the intents of the `example` template, in English', async () => {
    const bot = await create({ name: 'Süper Bot_1', external: false, url: null });
    expect(bot).to.include({ type: 'internal', external: false, language: 'en', slug: 'super-bot-1', trashed: false });
    expect(bot).to.include({ webhook_enabled: false, public: false, intentsEngine: 'none', score: 0, trained: true });
    expect(bot.tags).to.deep.equal([]);
    const intents = await intentsOf(bot._id);
    expect(intents).to.have.length(15);
    expect(intents[0]).to.include({ id_faq_kb: bot._id, language: 'en', enabled: true, agents_available: false });
    expect(intents[0].faq_kb.map(({ _id }: { _id: string }) => _id)).to.deep.equal([bot._id]);
  });

  it('POST bots gives a bot the intents of its template and subtype', async () => {
    const blank = await create({ name: 'Blank', template: 'blank', type: 'internal' });
    expect(await namesOf(blank._id)).to.have.members(['start', 'welcome', 'defaultFallback']);
    const handoff = await create({ name: 'Handoff', template: 'handoff' });
    expect(await namesOf(handoff._id)).to.have.members(['start', 'agent_handoff', 'defaultFallback']);
    expect(await namesOf((await create({ name: 'Empty', template: 'empty' }))._id)).to.deep.equal([]);
    const hook = await create({ name: 'Hook', subtype: 'webhook', template: 'no such template' });
    expect(await namesOf(hook._id)).to.have.members(['webhook', 'response']);
    const external = await create({ name: 'External', external: true, url: 'https://bot.example.com/' });
    expect(external).to.include({ type: 'external', external: true });
    expect(await namesOf(external._id)).to.deep.equal([]);
  });

  it('bots with the same name get different slugs, and a name without Latin letters gets the slug `bot`', async () => {
    const slugs = await Promise.all(
      ['Twin', 'twin ', 'TWIN!', '漢字'].map(async (name) => (await create({ name })).slug),
    );
    expect(slugs.slice(0, 3)).to.have.members(['twin', 'twin-1', 'twin-2']);
    expect(slugs[3]).to.equal('bot');
  });

  it('PUT bots/:id keeps the slug of a renamed bot, and refuses the slug of another bot', async () => {
    const [bot, other] = [
      await create({ name: 'Renamed', template: 'empty' }),
      await create({ name: 'Other', template: 'empty' }),
    ];
    const renamed = await api(fixture.admin).put(`${root()}/${bot._id}`, {
      ...{ name: 'New name', description: 'A bot', language: 'de', webhook_enabled: 'true', tags: ['a'], title: 'T' },
      ...{ certifiedTags: [{ name: 'x', color: 'red' }], type: 'external', url: 'https://bot.example.com/x' },
    });
    expect(renamed.body).to.include({
      name: 'New name',
      slug: 'renamed',
      modified: true,
      language: 'de',
      external: true,
    });
    const taken = await api(fixture.admin).put(`${root()}/${bot._id}`, { slug: other.slug });
    expect(taken.status).to.equal(409);
    expect(taken.body).to.include({ success: false, msg: 'Error updating object.', error_code: 12_001 });
    expect(taken.body.error).to.equal(`Slug already exists: ${other.slug}`);
  });

  it('GET bots filters by text, language and flags, and returns to agents only the bots that are available to agents, with fewer fields than to admins', async () => {
    const bot = await create({ name: 'Findable', language: 'it', description: 'Prenotazioni', template: 'empty' });
    const list = async (query: string, caller = fixture.admin) =>
      (await api(caller).get(`${root()}?${query}`)).body.map(({ _id }: { _id: string }) => _id);
    expect(await list('text=prenotazioni')).to.deep.equal([bot._id]);
    expect(await list('language=it')).to.deep.equal([bot._id]);
    expect(await list('public=true')).to.deep.equal([]);
    expect(await list('certified=false')).to.include(bot._id);
    expect(await list('', fixture.agent)).to.deep.equal([]);
    await api(fixture.admin).put(`${root()}/${bot._id}`, { agents_available: true });
    const { body } = await api(fixture.agent).get(root());
    expect(body.map(({ _id }: { _id: string }) => _id)).to.deep.equal([bot._id]);
    expect(body[0])
      .to.include({ name: 'Findable', slug: 'findable' })
      .and.not.have.any.keys('url', 'score', 'createdBy', '__v');
    const department = (await api(fixture.owner).get(`/v3/${fixture.project.id}/departments/allstatus`)).body[0];
    const detail = await api(fixture.admin).get(`${root()}/${bot._id}?departmentid=${department._id}`);
    expect(detail.body.department).to.include({ _id: department._id });
  });

  it('PATCH attributes merges keys, and PUT language changes the language of the bot and of all its intents', async () => {
    const { _id } = await create({ name: 'Attributes', template: 'blank', attributes: { a: 1 } });
    const patched = await api(fixture.admin).patch(`${root()}/${_id}/attributes`, { b: { c: 2 } });
    expect(patched.body.attributes).to.deep.equal({ a: 1, b: { c: 2 } });
    expect((await api(fixture.admin).put(`${root()}/${_id}/language/de`, {})).body.language).to.equal('de');
    expect((await intentsOf(_id)).map(({ language }: { language: string }) => language)).to.deep.equal([
      'de',
      'de',
      'de',
    ]);
    expect((await api(fixture.admin).put(`${root()}/${_id}/language/not-a-language-code!`, {})).status).to.equal(422);
  });

  it('a trashed bot and its intents are hidden until the bot is restored', async () => {
    const bot = await create({ name: 'Trash me', template: 'blank' });
    const trashed = (await api(fixture.admin).put(`${root()}/${bot._id}`, { trashed: true })).body;
    expect(trashed).to.include({ trashed: true }).and.have.property('trashedAt');
    expect(trashed.slug).to.match(/^trash-me-trashed-\d+$/);
    expect((await api(fixture.admin).get(`${root()}/${bot._id}`)).status).to.equal(404);
    expect(await namesOf(bot._id)).to.deep.equal([]);
    const restored = (await api(fixture.admin).put(`${root()}/${bot._id}`, { trashed: false })).body;
    expect(restored).to.include({ trashed: false, slug: 'trash-me' }).and.not.have.property('trashedAt');
    expect(await namesOf(bot._id)).to.have.length(3);
  });

  it('DELETE removes a bot, and the events of its creation and removal do not contain its secret', async () => {
    const bot = await create({ name: 'Delete me', template: 'blank' });
    await api(fixture.admin).post(`${root()}?skip_activity=true`, { name: 'Silent', template: 'empty' });
    expect((await api(fixture.admin).delete(`${root()}/${bot._id}`)).body).to.include({ _id: bot._id });
    expect((await api(fixture.admin).delete(`${root()}/${bot._id}`)).status).to.equal(404);
    const changes = (await relayedChanges(fixture.project.id)).filter(({ record }) => record === bot._id);
    expect(changes.map(({ event }) => event)).to.deep.equal([
      'faqbot.create',
      'faqbot.created',
      'faqbot.delete',
      'faqbot.deleted',
    ]);
    expect(changes[0]?.payload).to.include({ name: 'Delete me' }).and.not.have.property('secret');
  });

  it('DELETE removes the avatar of a bot', async () => {
    const bot = await create({ name: 'With a photo' });
    const sent = { name: 'b.png', type: 'image/png', bytes: await anImage() };
    const photo = `/v3/${fixture.project.id}/files/users/photo?bot_id=${bot._id}`;
    const { filename } = (await uploadFile(fixture.admin, photo, sent)).body;
    const status = async () => (await readBytes(`/v3/files?path=${filename}`)).status;
    await runJobs();
    expect(await status()).to.equal(200);
    expect((await api(fixture.admin).delete(`${root()}/${bot._id}`)).status).to.equal(200);
    expect(await status()).to.equal(404);
    await sweepFiles(() => false);
    expect(await storedKeys(`uploads/projects/${fixture.project.id}/avatars/`)).to.deep.equal([]);
  });

  it('publishing creates a copy that can be restored, and the list of copies names the publisher', async () => {
    const bot = await create({ name: 'Publish me', template: 'blank' });
    const path = `${root()}/${bot._id}`;
    const published = await api(fixture.admin).put(`${path}/publish`, { release_note: 'First' });
    expect(published.body.message).to.equal('Chatbot published successfully');
    expect((await api(fixture.admin).get(path)).body).to.include({ modified: false });
    const copies = (await api(fixture.admin).get(`${path}/published`)).body;
    expect(copies).to.have.length(1);
    expect(copies[0]).to.include({
      _id: published.body.bot_id,
      root_id: bot._id,
      release_note: 'First',
      trashed: true,
    });
    expect(copies[0]).to.not.have.property('slug');
    expect(copies[0].publishedBy).to.include({ _id: fixture.admin.id });
    for (const { _id } of await intentsOf(bot._id))
      await api(fixture.admin).delete(`/v3/${fixture.project.id}/faq/${_id}`);
    await api(fixture.admin).put(path, { name: 'Changed' });
    const restored = await api(fixture.admin).put(`${path}/publish`, { restore_from: published.body.bot_id });
    expect(restored.status).to.equal(200);
    expect((await api(fixture.admin).get(path)).body).to.include({ name: 'Publish me', slug: 'publish-me' });
    expect(await namesOf(bot._id)).to.have.length(3);
    expect((await api(fixture.admin).put(`${path}/publish`, { restore_from: bot._id })).status).to.equal(404);
    expect((await api(fixture.admin).get(root())).body.map(({ _id }: { _id: string }) => _id)).to.not.include(
      copies[0]._id,
    );
  });

  it('publishing a bot that has 20 copies deletes the oldest copy, its intents and the vectors of their phrases', async () => {
    const bot = await create({ name: 'Often', template: 'blank' });
    const id_project = fixture.project.id;
    const publish = async () =>
      (await api(fixture.admin).put(`${root()}/${bot._id}/publish`, {})).body.bot_id as string;
    const oldest = await publish();
    await IntentVector.create([{ _id: `${oldest} hash`, id_project, bot: oldest, vector: Buffer.alloc(4) }]);
    for (const _ of times(20, Number)) await publish();
    expect(await IntentVector.exists({ id_project, bot: oldest })).to.equal(null);
    expect(await intentsOf(oldest)).to.deep.equal([]);
  });

  it('a fork copies a bot without its `globals` to a project in which the caller is an admin', async () => {
    const other = await aProject();
    const bot = await create({ name: 'Original', template: 'handoff', attributes: { globals: [{ key: 'k' }], a: 1 } });
    const forkTo = (target: string, query = '') =>
      api(fixture.owner).post(`${root()}/fork/${bot._id}?projectid=${target}&public=false${query}`, {});
    expect((await forkTo(other.project.id)).status).to.equal(403);
    const { body } = await forkTo(fixture.project.id);
    expect(body).to.include({ message: 'Chatbot forked successfully' });
    const copy = (await api(fixture.admin).get(`${root()}/${body.bot_id}`)).body;
    expect(copy).to.include({ name: 'Original', slug: 'original-1' });
    expect(copy.attributes).to.deep.equal({ a: 1 });
    expect(await namesOf(body.bot_id)).to.have.members(['start', 'agent_handoff', 'defaultFallback']);
    const foreign = await api(other.owner).post(`/v3/${other.project.id}/bots/fork/${bot._id}`, {});
    expect(foreign.status).to.equal(404);
    await api(fixture.admin).put(`${root()}/${bot._id}`, { public: true });
    expect(
      (await api(other.owner).post(`/v3/${other.project.id}/bots/fork/${bot._id}?public=true`, {})).status,
    ).to.equal(200);
  });
});
