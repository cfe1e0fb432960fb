/** Integrations, quotas, and the former settings of knowledge bases. */
import { expect } from 'chai';
import { readApiKey } from '#shared/domain/integrations/integrations.ts';
import { addUsage, assertTokenQuota } from '#shared/domain/quotas/quotas.ts';
import { Integration } from '#shared/models/integration.ts';
import { Project } from '#shared/models/project.ts';
import { api } from '../support/api.ts';
import { aTextBody } from '../support/content-bodies.ts';
import { aProject } from '../support/people.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const KEY = 'sk-very-secret';

describe('Integrations', () => {
  let fixture: ProjectFixture;
  let root: string;

  before(async () => {
    fixture = await aProject();
    root = `/v3/${fixture.project.id}/integration`;
  });

  const save = (name: string, value: object) => api(fixture.admin).post(root, { name, value });

  it('a key is stored encrypted, never returned, and kept by an update without a key', async () => {
    const { body } = await save('openai', { apikey: KEY, organization: 'shop' });
    expect(body).to.deep.include({ name: 'openai', value: { apikey: '', organization: 'shop' } });
    const stored = await Integration.findOne({ _id: body._id, id_project: fixture.project.id })
      .select('+secrets')
      .lean();
    expect(JSON.stringify(stored)).to.not.include(KEY);
    const changed = await api(fixture.admin).put(`${root}/${body._id}`, {
      value: { apikey: '', organization: 'other' },
    });
    expect(changed.body.value).to.deep.equal({ apikey: '', organization: 'other' });
    expect(await readApiKey(fixture.project.id, 'openai')).to.equal(KEY);
    expect((await save('openai', { apikey: 'new' })).body._id).to.equal(body._id);
    expect(await readApiKey(fixture.project.id, 'openai')).to.equal('new');
    for (const path of [root, `${root}/${body._id}`, `${root}/name/openai`])
      expect((await api(fixture.admin).get(path)).text).to.not.include('new');
  });

  it('the keys of a list of servers are not returned either', async () => {
    const servers = [
      { name: 'a', url: 'http://a.example', apikey: KEY },
      { name: 'b', token: 'other' },
    ];
    const { body } = await save('vllm', { servers });
    expect(body.value.servers).to.deep.equal([
      { ...servers[0], apikey: '' },
      { name: 'b', token: '' },
    ]);
  });

  it('an unknown name returns the text that deployed clients expect, and a deleted integration returns 404', async () => {
    expect((await api(fixture.admin).get(`${root}/name/groq`)).body).to.equal('Integration not found');
    const { _id } = (await save('groq', { apikey: KEY })).body;
    const { body } = await api(fixture.admin).delete(`${root}/${_id}`);
    expect(body).to.deep.equal({ success: true, messages: 'Integration deleted successfully' });
    expect((await api(fixture.admin).get(`${root}/${_id}`)).status).to.equal(404);
    expect(await readApiKey(fixture.project.id, 'groq')).to.equal(undefined);
  });

  it('llm/preview requires a provider (400) for which the project has a key (404)', async () => {
    const { admin, project } = await aProject();
    const preview = (body: object) => api(admin).post(`/v3/${project.id}/llm/preview`, { question: 'Hello?', ...body });
    const missing = await preview({});
    expect([missing.status, missing.body.error]).to.deep.equal([400, "Missing required parameter 'llm'"]);
    const without = await preview({ llm: 'openai' });
    expect([without.status, without.body.error]).to.deep.equal([404, 'No key found for openai']);
    const unknown = await preview({ llm: 'groq' });
    expect([unknown.status, unknown.body.error]).to.deep.equal([404, 'Integration for groq not found.']);
  });

  it('kbsettings shows the pages of the default knowledge base, and stores the OpenAI key', async () => {
    const { admin, agent, project } = await aProject();
    const path = `/v3/${project.id}/kbsettings`;
    const { body } = await api(agent).get(path);
    expect(body).to.include({ id_project: project.id, maxKbsNumber: 3, maxPagesNumber: 1000 });
    expect((await api(admin).post(path, {})).body._id).to.equal(body._id);
    const added = await api(admin).post(`${path}/${body._id}`, { name: 'Shop', url: 'http://127.0.0.1:9/shop' });
    expect(added.body.kbs[0]).to.include({ name: 'Shop', url: 'http://127.0.0.1:9/shop', status: -1 });
    const keyed = await api(admin).put(`${path}/${body._id}`, { gptkey: KEY });
    expect(keyed.text).to.not.include(KEY);
    expect(await readApiKey(project.id, 'openai')).to.equal(KEY);
    expect((await api(admin).delete(`${path}/${body._id}/${added.body.kbs[0]._id}`)).body.kbs).to.deep.equal([]);
    expect((await api(admin).put(`${path}/${'0'.repeat(24)}`, { gptkey: KEY })).status).to.equal(404);
  });
});

describe('Quotas', () => {
  const setQuotas = (id: string, quotes: object) =>
    Project.updateOne({ _id: id }, { $set: { 'profile.quotes': quotes } });

  it('without limits, every quota is available, and usage is counted', async () => {
    const { agent, admin, project } = await aProject();
    await api(admin).post(`/v3/${project.id}/kb`, aTextBody(project.id));
    const { body } = await api(agent).post(`/v3/${project.id}/quotes`, {});
    expect(body.success).to.equal(true);
    expect(body.quotes).to.deep.include({ kbs: { quote: 1 }, tokens: { quote: 0 }, chatbots: { quote: 0 } });
    expect(body.quotes).to.include.all.keys('requests', 'messages', 'email', 'voice_duration');
    expect(body.slot.startDate).to.match(/^\d\d\/\d\d\/\d{4}$/);
    for (const type of ['requests', 'tokens', 'kbs'])
      expect((await api(agent).get(`/v3/${project.id}/quotes/${type}`)).body).to.deep.equal({ isAvailable: true });
    expect((await api(agent).get(`/v3/${project.id}/quotes/x`)).status).to.equal(404);
  });

  it('used tokens are added up, and answers are refused (403) once the limit of the plan is reached', async () => {
    const { agent, project } = await aProject();
    await setQuotas(project.id, { tokens: 100 });
    const incr = (tokens: unknown) => api(agent).post(`/v3/${project.id}/quotes/incr/tokens`, { tokens, model: 'm' });
    expect((await incr(60)).body).to.include({ currentQuote: 60 });
    expect((await incr('50')).body).to.include({ currentQuote: 110 });
    expect((await incr(-1)).status).to.equal(422);
    expect((await api(agent).get(`/v3/${project.id}/quotes/tokens`)).body).to.deep.equal({ isAvailable: false });
    const refusal = await assertTokenQuota(project.id).catch((error: unknown) => error);
    expect(refusal).to.deep.include({ status: 403, body: { message: 'Tokens quota exceeded', error_code: 13_001 } });
    expect((await addUsage(project.id, 'voice_duration', 3)).currentQuote).to.equal(3);
  });

  it('a plan limits the contents and knowledge bases of a project (403 with plan_limit)', async () => {
    const { admin, project } = await aProject();
    await setQuotas(project.id, { kbs: 2, namespace: 1 });
    const root = `/v3/${project.id}/kb`;
    const list = [1, 2, 3].map((page) => `http://127.0.0.1:9/${page}`);
    const many = await api(admin).post(`${root}/multi?namespace=${project.id}`, { list });
    const error = 'Cannot exceed the number of resources in the current plan';
    expect([many.status, many.body]).to.deep.include.members([403]);
    expect(many.body).to.include({ success: false, error, plan_limit: 2 });
    for (let count = 0; count < 2; count++) await api(admin).post(root, aTextBody(project.id));
    const full = await api(admin).post(root, aTextBody(project.id));
    expect(full.body).to.include({ error: 'Maximum number of resources reached for the current plan', plan_limit: 2 });
    expect((await api(admin).post(`${root}/namespace`, { name: 'Second' })).body).to.include({ plan_limit: 1 });
  });
});
