/** The whole way through an OpenAI-compatible provider, over real HTTP on both sides (must-show 3). */
import { once } from 'node:events';
import { request } from 'node:http';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { type Embedder, embedder, makeEmbedder, useEmbedder } from '#shared/embedding/embedder.ts';
import { api, call, type Reply } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aText, added } from '../support/contents.ts';
import { eventsOf } from '../support/events.ts';
import { aProvider, type Fault } from '../support/fake-openai.ts';
import { passages } from '../support/knowledge.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { until } from '../support/until.ts';

const ASKED = 'When does the shop open in the morning?';
const UNKNOWN = 'Is the shop on the moon?';
const ANSWER = 'The shop opens at nine [1].';
const NO = 'The texts do not say. <NOANS>';
const HOURS = '# Hours\n\nThe shop opens at nine in the morning.';
const RETURNS = '# Returns\n\nThe shop takes articles back within thirty days.';

type Message = { role: string; content: string };
type Event = Record<string, unknown>;

describe('Answers of a provider', () => {
  const faults: Fault[] = [];
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let server: Awaited<ReturnType<typeof anApiProcess>>;
  let world: Awaited<ReturnType<typeof aProject>>;
  let ours: Embedder | null;
  let theirs: Embedder | null;
  let pid: string;

  const isChat = ({ path }: { path: string }) => path.endsWith('/chat/completions');
  const chats = () => provider.calls.filter(isChat);
  const told = (): Message[] => chats().at(-1)?.body.messages ?? [];
  const ask = (more: object = {}): Promise<Reply> =>
    call('POST', `${server.url}/v3/${pid}/kb/qa`, {
      body: { namespace: pid, question: ASKED, ...more },
      headers: { authorization: world.admin.authorization },
    });
  const unanswered = async () => (await api(world.admin).get(`/v3/${pid}/kb/unanswered/count/${pid}`)).body.count;

  before(async () => {
    provider = await aProvider({
      answer: (messages) => (messages.at(-1)?.content === UNKNOWN ? NO : ANSWER),
      faultOf: (call) => (isChat(call) ? faults.shift() : undefined),
    });
    const settings = {
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'key-of-the-operator',
      EMBEDDING_MODEL: 'fake-embedder',
      EMBEDDING_DIMENSION: 64,
      AI_TIMEOUT: 15,
      AI_IDLE_TIMEOUT: 1,
      AI_MAX_RETRY_WAIT: 0.2,
    };
    const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
    server = await anApiProcess({ ...env, CHAT_MODEL: 'fake-chat', CHAT_MODELS: 'other-chat' });
    ours = embedder();
    theirs = makeEmbedder({ ...config, ...settings });
    useEmbedder(theirs);
    world = await aProject();
    pid = world.project.id;
    await added(world.admin, pid, aText(pid, { name: 'Hours', source: 'hours', content: HOURS }));
    await added(world.admin, pid, aText(pid, { name: 'Returns', source: 'returns', content: RETURNS }));
    await runJobs();
  });
  beforeEach(() => void faults.splice(0));
  after(async () => {
    useEmbedder(ours ?? null);
    await theirs?.close();
    await server.stop();
    await provider.close();
  });

  it('rest on passages that it embedded, under the key of the settings', async () => {
    expect(provider.embeddedTexts().join('\n')).to.include('The shop opens at nine in the morning.');
    const { stored, indexed } = await passages(pid);
    expect(indexed).to.deep.equal(stored);
    expect(stored).to.have.lengthOf(2);
    const { body } = await ask({ citations: true });
    expect(body).to.deep.include({
      success: true,
      answer: ANSWER,
      model: 'fake-chat',
      sources: ['hours'],
      source: 'hours',
    });
    expect(body.citations).to.deep.equal([{ source_id: 1, source_name: 'Hours', source: 'hours' }]);
    expect(body.search_mode).to.equal('hybrid');
    expect(new Set(provider.calls.map(({ authorization }) => authorization))).to.have.keys([
      'Bearer key-of-the-operator',
    ]);
  });

  it('tell the tokens that the provider counted', async () => {
    const { prompt_token_size } = (await ask()).body;
    const words = told().flatMap(({ content }) => content.split(/\s+/).filter(Boolean));
    expect(prompt_token_size).to.equal(words.length).and.greaterThan(20);
  });

  it('are asked for with the passages as data, the turns before and the options', async () => {
    const chat_history_dict = { 0: { question: 'First?', answer: 'One.' }, 1: { question: 'Second?', answer: 'Two.' } };
    const { body } = await ask({
      chat_history_dict,
      max_history_messages: 1,
      model: 'other-chat',
      max_tokens: 77,
      temperature: 0.3,
      top_p: 0.9,
      system_context: 'Be kind.',
    });
    expect(body.model).to.equal('other-chat');
    expect(body.chat_history_dict).to.deep.equal({ ...chat_history_dict, 2: { question: ASKED, answer: ANSWER } });
    expect(chats().at(-1)?.body).to.include({ model: 'other-chat', max_tokens: 77, temperature: 0.3, top_p: 0.9 });
    const [system, ...turns] = told();
    expect(system?.content)
      .to.match(/^Be kind\./)
      .and.include('nine in the morning');
    expect(turns.map(({ content }) => content)).to.deep.equal(['Second?', 'Two.', ASKED]);
    await ask({
      chat_history_dict,
      include_history_in_prompt: false,
      advancedPrompt: true,
      system_context: 'Only: {context}',
    });
    expect(told()).to.have.lengthOf(2);
    expect(told()[0]?.content).to.match(/^Only: \[1\]/);
  });

  it('come in pieces, then whole with the tokens, then end', async () => {
    const { headers, text } = await ask({ stream: true });
    expect(headers['content-type']).to.match(/^text\/event-stream/);
    const events = eventsOf(text) as Event[];
    const [whole, end] = events.slice(-2);
    const pieces = events.slice(0, -2);
    expect(pieces.length).to.be.greaterThan(2);
    expect(pieces.map(({ content }) => content).join('')).to.equal(ANSWER);
    expect(whole).to.include({ answer: ANSWER, success: true });
    expect(whole?.prompt_token_size).to.be.greaterThan(20);
    expect(end).to.equal('[DONE]');
  });

  it('turn to an honest no where the model finds none, whose mark nobody sees', async () => {
    const before = await unanswered();
    const { body, text } = await ask({ question: UNKNOWN });
    expect(body).to.deep.include({ success: false, answer: 'The texts do not say.', ids: [], sources: [] });
    const streamed = await ask({ question: UNKNOWN, stream: true });
    expect(eventsOf(streamed.text).at(-2)).to.include({ success: false, answer: 'The texts do not say.' });
    expect(text + streamed.text).to.not.match(/NOANS|<N/);
    expect(await unanswered()).to.equal(before + 2);
  });

  it('are asked for again after 429 and 500, waiting no longer than the settings allow', async () => {
    for (const stream of [false, true]) {
      faults.push({ status: 429, retryAfter: 3600 }, { status: 500 });
      const before = chats().length;
      const { status, text } = await ask({ stream });
      expect([status, chats().length]).to.deep.equal([200, before + 3]);
      expect(text).to.include(ANSWER);
    }
  });

  it('that never come are plain errors with their status, streamed or not', async () => {
    for (const stream of [false, true]) {
      faults.push({ status: 503 }, { status: 503 }, { status: 503 });
      const away = await ask({ stream });
      expect([away.status, away.body.code, away.body.success]).to.deep.equal([503, 'AI_UNAVAILABLE', false]);
      faults.push({ status: 401 });
      const before = chats().length;
      const refused = await ask({ stream });
      expect([refused.status, refused.body.code]).to.deep.equal([502, 'AI_REFUSED']);
      expect(chats().length).to.equal(before + 1);
      expect(refused.text).to.not.include('key-of-the-operator');
    }
  });

  it('that stop half way are cut, and the stream says so', async () => {
    for (const fault of [{ hang: 'middle' as const }, { cutAfter: 0.5 }]) {
      const before = await unanswered();
      faults.push(fault);
      const { status, text } = await ask({ stream: true });
      const events = eventsOf(text) as Event[];
      expect(status).to.equal(200);
      expect(events[0]?.content).to.be.a('string');
      expect(events.at(-1)?.error).to.be.a('string');
      expect(text).to.not.include('[DONE]');
      await until(() => provider.openCalls() === 0);
      expect(await unanswered()).to.equal(before);
    }
  });

  it('are no longer asked for when the client leaves', async () => {
    for (const [stream, fault] of [
      [false, { hang: 'start' }],
      [true, { slowBytes: 3 }],
    ] as [boolean, Fault][]) {
      faults.push(fault);
      const before = { aborted: provider.aborted(), chats: chats().length };
      const headers = { authorization: world.admin.authorization, 'content-type': 'application/json' };
      const asking = request(`${server.url}/v3/${pid}/kb/qa`, { method: 'POST', headers });
      asking.on('error', () => undefined);
      asking.end(JSON.stringify({ namespace: pid, question: ASKED, stream }));
      if (stream) await once((await once(asking, 'response'))[0], 'data');
      else await until(() => chats().length === before.chats + 1);
      expect(provider.openCalls()).to.equal(1);
      asking.destroy();
      await until(() => provider.openCalls() === 0);
      expect(provider.aborted()).to.equal(before.aborted + 1);
    }
  });
});
