/**
 * Limits that keep the chat model from being used as a free proxy: allowed models, length of an answer, tokens per
 * day. A12 is an attack described in docs/attacks.md.
 */
import { expect } from 'chai';
import mongoose from 'mongoose';
import { request } from 'undici';
import { api, type Caller, call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { aProvider, type Fault } from '../support/fake-openai.ts';
import { anInstanceAdmin, aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';

const QUESTION = 'When does the shop open in the morning?';

describe('Limits of the chat model', () => {
  const faults: Fault[] = [];
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let server: Awaited<ReturnType<typeof anApiProcess>>;
  let fixture: Awaited<ReturnType<typeof aProject>>;

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
    fixture = await aProject();
    await addKnowledge(fixture);
  });
  after(async () => {
    await server.stop();
    await provider.close();
  });

  const addKnowledge = async ({ admin, project: { id } }: typeof fixture) => {
    await addContent(admin, id, aTextBody(id, { content: '# Hours\n\nThe shop opens at nine in the morning.' }));
    await runJobs();
  };
  const callAs = ({ authorization }: Caller) => ({
    get: (path: string) => call('GET', server.url + path, { headers: { authorization } }),
    post: (path: string, body: object) => call('POST', server.url + path, { body, headers: { authorization } }),
    put: (path: string, body: object) => call('PUT', server.url + path, { body, headers: { authorization } }),
  });
  const ask = (more: object = {}, { admin, project } = fixture) =>
    callAs(admin).post(`/v3/${project.id}/kb/qa`, { namespace: project.id, question: QUESTION, ...more });
  const tokensSpent = async (id_project: string): Promise<number> =>
    (await mongoose.connection.collection('budgets').findOne({ id_project, name: 'ai_tokens' }))?.spent ?? 0;
  const countChatCalls = () => provider.calls.filter(({ path }) => path.endsWith('/chat/completions')).length;

  it('a question that names a model that is neither CHAT_MODEL nor one of CHAT_MODELS gets 422', async () => {
    const before = countChatCalls();
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
    expect(countChatCalls()).to.equal(before);
    expect((await ask({ model: 'chat-large' })).body).to.include({ success: true, model: 'chat-large' });
  });

  it('the preview settings of a knowledge base accept allowed models only, and default to CHAT_MODEL', async () => {
    const { admin, project } = fixture;
    const path = `/v3/${project.id}/kb/namespace`;
    const { body: created } = await callAs(admin).post(path, { name: 'Second' });
    expect(created.preview_settings.model).to.equal('chat-small');
    const set = (model: string) =>
      callAs(admin).put(`${path}/${created.id}`, { preview_settings: { model, top_k: 3 } });
    const refused = await set('chat-huge');
    expect(refused.status).to.equal(422);
    expect(refused.body.errors[0]).to.include({ path: 'preview_settings.model', code: 'not_allowed' });
    expect((await set('chat-large')).body.preview_settings).to.deep.equal({ model: 'chat-large', top_k: 3 });
  });

  it('max_tokens of a question is at most 4,096', async () => {
    expect((await ask({ max_tokens: 4097 })).status).to.equal(422);
    expect((await ask({ max_tokens: 4096 })).status).to.equal(200);
  });

  it('A12: a project that has used up its AI_TOKENS_PER_DAY gets 429 without a call to the model; other projects do not', async () => {
    expect((await ask()).status).to.equal(200);
    const before = countChatCalls();
    for (const stream of [false, true]) {
      const { status, body, headers } = await ask({ stream });
      expect(status).to.equal(429);
      expect(body).to.include({ success: false, code: 'AI_TOKEN_BUDGET_EXHAUSTED' });
      expect(body.error).to.match(
        /^The project has used \d+ of its 10 AI tokens for today \(setting AI_TOKENS_PER_DAY\)/,
      );
      expect(body.retry_after).to.be.within(1, 86_400);
      expect(Number(headers['retry-after'])).to.equal(body.retry_after);
    }
    expect(countChatCalls()).to.equal(before);
    expect((await ask({ chunks_only: true })).status).to.equal(200);
    const other = await aProject();
    await addKnowledge(other);
    expect((await ask({}, other)).status).to.equal(200);
    const { text } = await callAs(await anInstanceAdmin()).get('/metrics');
    for (const kind of ['prompt', 'completion'])
      expect(text).to.match(new RegExp(`^ai_tokens_total\\{model="[^"]+",kind="${kind}"\\} [1-9]`, 'm'));
    expect(text).to.match(/^ai_token_budget_rejections_total [1-9]/m);
  });

  it('llm/preview counts its tokens, and returns 429 without a call to the model when AI_TOKENS_PER_DAY is used up', async () => {
    const { admin, project } = fixture;
    const preview = (model?: string) =>
      callAs(admin).post(`/v3/${project.id}/llm/preview`, { llm: 'openai', question: QUESTION, model });
    const first = await preview();
    expect(first.status, first.text).to.equal(200);
    const { input_tokens, output_tokens, total_tokens } = first.body.prompt_token_info;
    expect([total_tokens, await tokensSpent(project.id)]).to.deep.equal(Array(2).fill(input_tokens + output_tokens));
    expect(total_tokens).to.be.greaterThan(10);
    const before = countChatCalls();
    const second = await preview();
    expect([second.status, second.body.code]).to.deep.equal([429, 'AI_TOKEN_BUDGET_EXHAUSTED']);
    expect((await ask()).status).to.equal(429);
    expect((await preview('chat-huge')).body.errors[0]).to.include({ path: 'model' });
    expect(countChatCalls()).to.equal(before);
  });

  it('the tokens of a streamed answer are counted, even if the client disconnects midway', async () => {
    faults.push({ hang: 'middle' });
    const { admin, project } = fixture;
    const caller = new AbortController();
    const { body } = await request(`${server.url}/v3/${project.id}/kb/qa`, {
      method: 'POST',
      headers: { authorization: admin.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ namespace: project.id, question: QUESTION, stream: true }),
      signal: caller.signal,
    });
    for await (const _ of body) {
      caller.abort();
      break;
    }
    await waitUntil(async () => (await tokensSpent(project.id)) > 10);
    const completeReader = await aProject();
    await addKnowledge(completeReader);
    expect((await ask({ stream: true }, completeReader)).status).to.equal(200);
    expect((await ask({}, completeReader)).status).to.equal(429);
  });

  it('the model named by a question is ignored when no chat model is configured', async () => {
    const { body } = await api(fixture.admin).post(`/v3/${fixture.project.id}/kb/qa`, {
      ...{ namespace: fixture.project.id, question: QUESTION, model: 'any-model' },
    });
    expect(body).to.include({ success: true, model: 'extractive' });
  });
});
