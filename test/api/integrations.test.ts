/** Integrations (accounts with other services), and `kbsettings`: the former settings of knowledge bases. */
import { expect } from 'chai';
import { readApiKey } from '#shared/domain/integrations/integrations.ts';
import { Integration } from '#shared/models/integration.ts';
import { api } from '../support/api.ts';
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

  it("the keys in an integration's list of servers are never returned", async () => {
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

  it('reading an integration by an unknown name returns the text that deployed clients expect, and reading a deleted one returns 404', async () => {
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

  it('kbsettings lists the web pages of the default knowledge base in `kbs`, and stores the OpenAI key', async () => {
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
