/**
 * Questions and answers through an OpenAI-compatible provider that the API calls over HTTP. F9 is a failure
 * described in docs/failures.md.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { createEmbedder, type Embedder, embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { api, call, type Reply } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { aProvider, type Fault } from '../support/fake-openai.ts';
import { chunkIds } from '../support/knowledge.ts';
import { parseSseEvents } from '../support/parse-sse.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';

const QUESTION = 'When does the shop open in the morning?';
const UNANSWERABLE_QUESTION = 'Is the shop on the moon?';
const ANSWER = 'The shop opens at nine [1].';
const NO_ANSWER = 'The texts do not say. <NOANS>';
const HOURS_TEXT = '# Hours\n\nThe shop opens at nine in the morning.';
const RETURNS_TEXT = '# Returns\n\nThe shop takes articles back within thirty days.';

type Message = { role: string; content: string };
type Event = Record<string, unknown>;

describe('Answers from an OpenAI-compatible provider', () => {
  const faults: Fault[] = [];
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let server: Awaited<ReturnType<typeof anApiProcess>>;
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let previousEmbedder: Embedder | null;
  let providerEmbedder: Embedder | null;
  let projectId: string;

  const isChat = ({ path }: { path: string }) => path.endsWith('/chat/completions');
  const chats = () => provider.calls.filter(isChat);
  const lastPrompt = (): Message[] => chats().at(-1)?.body.messages ?? [];
  const ask = (more: object = {}): Promise<Reply> =>
    call('POST', `${server.url}/v3/${projectId}/kb/qa`, {
      body: { namespace: projectId, question: QUESTION, ...more },
      headers: { authorization: fixture.admin.authorization },
    });
  const unanswered = async () =>
    (await api(fixture.admin).get(`/v3/${projectId}/kb/unanswered/count/${projectId}`)).body.count;

  before(async () => {
    provider = await aProvider({
      answer: (messages) => (messages.at(-1)?.content === UNANSWERABLE_QUESTION ? NO_ANSWER : ANSWER),
      faultOf: (call) => (isChat(call) ? faults.shift() : undefined),
    });
    const settings = {
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'key-of-the-operator',
      EMBEDDING_MODEL: 'fake-embedder',
      EMBEDDING_DIMENSION: 64,
      AI_TIMEOUT_SECONDS: 15,
      AI_IDLE_TIMEOUT_SECONDS: 1,
      AI_MAX_RETRY_WAIT_SECONDS: 0.2,
    };
    const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
    server = await anApiProcess({ ...env, CHAT_MODEL: 'fake-chat', CHAT_MODELS: 'other-chat' });
    previousEmbedder = embedder();
    providerEmbedder = createEmbedder({ ...config, ...settings });
    setEmbedder(providerEmbedder);
    fixture = await aProject();
    projectId = fixture.project.id;
    await addContent(
      fixture.admin,
      projectId,
      aTextBody(projectId, { name: 'Hours', source: 'hours', content: HOURS_TEXT }),
    );
    await addContent(
      fixture.admin,
      projectId,
      aTextBody(projectId, { name: 'Returns', source: 'returns', content: RETURNS_TEXT }),
    );
    await runJobs();
  });
  beforeEach(() => void faults.splice(0));
  after(async () => {
    setEmbedder(previousEmbedder ?? null);
    await providerEmbedder?.close();
    await server.stop();
    await provider.close();
  });

  it('answers are based on chunks that the provider embedded, and all calls to the provider have the configured API key', async () => {
    expect(provider.embeddedTexts().join('\n')).to.include('The shop opens at nine in the morning.');
    const { stored, indexed } = await chunkIds(projectId);
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

  it('an answer reports the number of prompt tokens that the provider counted', async () => {
    const { prompt_token_size } = (await ask()).body;
    const words = lastPrompt().flatMap(({ content }) => content.split(/\s+/).filter(Boolean));
    expect(prompt_token_size).to.equal(words.length).and.greaterThan(20);
  });

  it('the prompt contains the chunks, the chat history and the options of the question', async () => {
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
    expect(body.chat_history_dict).to.deep.equal({ ...chat_history_dict, 2: { question: QUESTION, answer: ANSWER } });
    expect(chats().at(-1)?.body).to.include({ model: 'other-chat', max_tokens: 77, temperature: 0.3, top_p: 0.9 });
    const [system, ...turns] = lastPrompt();
    expect(system?.content)
      .to.match(/^Be kind\./)
      .and.include('nine in the morning');
    expect(turns.map(({ content }) => content)).to.deep.equal(['Second?', 'Two.', QUESTION]);
    await ask({
      chat_history_dict,
      include_history_in_prompt: false,
      advancedPrompt: true,
      system_context: 'Only: {context}',
    });
    expect(lastPrompt()).to.have.lengthOf(2);
    expect(lastPrompt()[0]?.content).to.match(/^Only: \[1\]/);
  });

  it('a streamed answer is sent in pieces, then as a whole with its token count, and is followed by [DONE]', async () => {
    const { headers, text } = await ask({ stream: true });
    expect(headers['content-type']).to.match(/^text\/event-stream/);
    const events = parseSseEvents(text) as Event[];
    const [complete, end] = events.slice(-2);
    const pieces = events.slice(0, -2);
    expect(pieces.length).to.be.greaterThan(2);
    expect(pieces.map(({ content }) => content).join('')).to.equal(ANSWER);
    expect(complete).to.include({ answer: ANSWER, success: true });
    expect(complete?.prompt_token_size).to.be.greaterThan(20);
    expect(end).to.equal('[DONE]');
  });

  it('an answer that the model marks as "no answer" has `success: false` and does not contain the marker', async () => {
    const before = await unanswered();
    const { body, text } = await ask({ question: UNANSWERABLE_QUESTION });
    expect(body).to.deep.include({ success: false, answer: 'The texts do not say.', ids: [], sources: [] });
    const streamed = await ask({ question: UNANSWERABLE_QUESTION, stream: true });
    expect(parseSseEvents(streamed.text).at(-2)).to.include({ success: false, answer: 'The texts do not say.' });
    expect(text + streamed.text).to.not.match(/NOANS|<N/);
    expect(await unanswered()).to.equal(before + 2);
  });

  it('a call to the provider is retried after 429 and 500, with a wait of at most AI_MAX_RETRY_WAIT_SECONDS', async () => {
    for (const stream of [false, true]) {
      faults.push({ status: 429, retryAfter: 3600 }, { status: 500 });
      const before = chats().length;
      const { status, text } = await ask({ stream });
      expect([status, chats().length]).to.deep.equal([200, before + 3]);
      expect(text).to.include(ANSWER);
    }
  });

  it('F9: a failing provider leads to an error with a status and a code, also for streamed answers', async () => {
    for (const stream of [false, true]) {
      faults.push({ status: 503 }, { status: 503 }, { status: 503 });
      const unavailable = await ask({ stream });
      expect([unavailable.status, unavailable.body.code, unavailable.body.success]).to.deep.equal([
        503,
        'AI_UNAVAILABLE',
        false,
      ]);
      faults.push({ status: 401 });
      const before = chats().length;
      const refused = await ask({ stream });
      expect([refused.status, refused.body.code]).to.deep.equal([502, 'AI_REQUEST_REJECTED']);
      expect(chats().length).to.equal(before + 1);
      expect(refused.text).to.not.include('key-of-the-operator');
    }
  });

  it('F9: a stream that the provider interrupts ends with an error event', async () => {
    for (const fault of [{ hang: 'middle' as const }, { cutAfter: 0.5 }]) {
      const before = await unanswered();
      faults.push(fault);
      const { status, text } = await ask({ stream: true });
      const events = parseSseEvents(text) as Event[];
      expect(status).to.equal(200);
      expect(events[0]?.content).to.be.a('string');
      expect(events.at(-1)?.error).to.be.a('string');
      expect(text).to.not.include('[DONE]');
      await waitUntil(() => provider.openCalls() === 0);
      expect(await unanswered()).to.equal(before);
    }
  });

  it('the call to the provider is aborted when the client disconnects', async () => {
    for (const [stream, fault] of [
      [false, { hang: 'start' }],
      [true, { slowBytes: 3 }],
    ] as [boolean, Fault][]) {
      faults.push(fault);
      const before = { aborted: provider.aborted(), chats: chats().length };
      const headers = { authorization: fixture.admin.authorization, 'content-type': 'application/json' };
      const clientRequest = request(`${server.url}/v3/${projectId}/kb/qa`, { method: 'POST', headers });
      clientRequest.on('error', () => undefined);
      clientRequest.end(JSON.stringify({ namespace: projectId, question: QUESTION, stream }));
      if (stream) await once((await once(clientRequest, 'response'))[0], 'data');
      else await waitUntil(() => chats().length === before.chats + 1);
      expect(provider.openCalls()).to.equal(1);
      clientRequest.destroy();
      await waitUntil(() => provider.openCalls() === 0);
      expect(provider.aborted()).to.equal(before.aborted + 1);
    }
  });
});
