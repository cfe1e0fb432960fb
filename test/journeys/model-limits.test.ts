/** What keeps the operator's model from being a free proxy: which models, how long an answer, how many tokens a day. */
import { expect } from 'chai';
import mongoose from 'mongoose';
import { request } from 'undici';
import { api, type Caller, call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aText, added } from '../support/contents.ts';
import { aProvider, type Fault } from '../support/fake-openai.ts';
import { anOperator, aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { until } from '../support/until.ts';

const ASKED = 'When does the shop open in the morning?';

describe('Limits of the model', () => {
  const faults: Fault[] = [];
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let server: Awaited<ReturnType<typeof anApiProcess>>;
  let world: Awaited<ReturnType<typeof aProject>>;

  before(async () => {
    provider = await aProvider({ answer: () => 'The shop opens at nine [1].', faultOf: () => faults.shift() });
    server = await anApiProcess({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'key-of-the-operator',
      CHAT_MODEL: 'chat-small',
      CHAT_MODELS: 'chat-large, chat-small',
      AI_TOKENS_PER_DAY: '10',
    });
  });
  beforeEach(async () => {
    world = await aProject();
    await known(world);
  });
  after(async () => {
    await server.stop();
    await provider.close();
  });

  const known = async ({ admin, project: { id } }: typeof world) => {
    await added(admin, id, aText(id, { content: '# Hours\n\nThe shop opens at nine in the morning.' }));
    await runJobs();
  };
  const by = ({ authorization }: Caller) => ({
    get: (path: string) => call('GET', server.url + path, { headers: { authorization } }),
    post: (path: string, body: object) => call('POST', server.url + path, { body, headers: { authorization } }),
    put: (path: string, body: object) => call('PUT', server.url + path, { body, headers: { authorization } }),
  });
  const ask = (more: object = {}, { admin, project } = world) =>
    by(admin).post(`/v3/${project.id}/kb/qa`, { namespace: project.id, question: ASKED, ...more });
  const spentBy = async (id_project: string): Promise<number> =>
    (await mongoose.connection.collection('budgets').findOne({ id_project, name: 'ai_tokens' }))?.spent ?? 0;
  const chats = () => provider.calls.filter(({ path }) => path.endsWith('/chat/completions')).length;

  it('a question may name CHAT_MODEL and the models of CHAT_MODELS, and no other', async () => {
    const before = chats();
    const { status, body } = await ask({ model: 'chat-huge' });
    expect(status).to.equal(422);
    expect(body.error).to.equal(
      'model must be one of: chat-small, chat-large (the settings CHAT_MODEL and CHAT_MODELS)',
    );
    expect(body.errors).to.deep.include({
      path: 'model',
      param: 'model',
      code: 'not_allowed',
      location: 'body',
      message: body.error,
      msg: body.error,
      value: 'chat-huge',
    });
    expect(chats()).to.equal(before);
    expect((await ask({ model: 'chat-large' })).body).to.include({ success: true, model: 'chat-large' });
  });

  it('preview settings of a knowledge base name an allowed model, and CHAT_MODEL from the start', async () => {
    const { admin, project } = world;
    const path = `/v3/${project.id}/kb/namespace`;
    const { body: made } = await by(admin).post(path, { name: 'Second' });
    expect(made.preview_settings.model).to.equal('chat-small');
    const set = (model: string) => by(admin).put(`${path}/${made.id}`, { preview_settings: { model, top_k: 3 } });
    const refused = await set('chat-huge');
    expect(refused.status).to.equal(422);
    expect(refused.body.errors[0]).to.include({ path: 'preview_settings.model', code: 'not_allowed' });
    expect((await set('chat-large')).body.preview_settings).to.deep.equal({ model: 'chat-large', top_k: 3 });
  });

  it('an answer has at most 4,096 tokens', async () => {
    expect((await ask({ max_tokens: 4097 })).status).to.equal(422);
    expect((await ask({ max_tokens: 4096 })).status).to.equal(200);
  });

  it('a project whose AI_TOKENS_PER_DAY are spent is refused with 429 before the model is asked, other projects are not', async () => {
    expect((await ask()).status).to.equal(200);
    const before = chats();
    for (const stream of [false, true]) {
      const { status, body, headers } = await ask({ stream });
      expect(status).to.equal(429);
      expect(body).to.include({ success: false, code: 'AI_TOKENS_SPENT' });
      expect(body.error).to.match(
        /^The project has used \d+ of its 10 AI tokens of today \(the setting AI_TOKENS_PER_DAY\)/,
      );
      expect(body.retry_after).to.be.within(1, 86_400);
      expect(Number(headers['retry-after'])).to.equal(body.retry_after);
    }
    expect(chats()).to.equal(before);
    expect((await ask({ chunks_only: true })).status).to.equal(200);
    const other = await aProject();
    await known(other);
    expect((await ask({}, other)).status).to.equal(200);
    const { text } = await by(await anOperator()).get('/metrics');
    for (const kind of ['prompt', 'completion'])
      expect(text).to.match(new RegExp(`^ai_tokens_total\\{kind="${kind}"\\} [1-9]`, 'm'));
    expect(text).to.match(/^ai_tokens_refusals_total [1-9]/m);
  });

  it('tokens of a streamed answer count, also when its reader leaves in the middle', async () => {
    faults.push({ hang: 'middle' });
    const { admin, project } = world;
    const caller = new AbortController();
    const { body } = await request(`${server.url}/v3/${project.id}/kb/qa`, {
      method: 'POST',
      headers: { authorization: admin.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ namespace: project.id, question: ASKED, stream: true }),
      signal: caller.signal,
    });
    for await (const _ of body) {
      caller.abort();
      break;
    }
    await until(async () => (await spentBy(project.id)) > 10);
    const whole = await aProject();
    await known(whole);
    expect((await ask({ stream: true }, whole)).status).to.equal(200);
    expect((await ask({}, whole)).status).to.equal(429);
  });

  it('a model that a question names is of no account where no chat model is configured', async () => {
    const { body } = await api(world.admin).post(`/v3/${world.project.id}/kb/qa`, {
      ...{ namespace: world.project.id, question: ASKED, model: 'any-model' },
    });
    expect(body).to.include({ success: true, model: 'extractive' });
  });
});
