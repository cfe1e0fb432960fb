/** Options of a question that change its calls to models: cache, summary of the history, reasoning, reranking. */
import { request } from 'node:http';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { call, type Reply } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { aProvider, type Fault, type ProviderCall } from '../support/fake-openai.ts';
import { parseSseEvents } from '../support/parse-sse.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';

const QUESTION = 'When does the shop open?';
const UNANSWERABLE_QUESTION = 'Does the shop open on the moon?';
const SUMMARY = 'The customer ordered a blue kettle.';
const TURNS = Array.from({ length: 12 }, (_, index) => ({
  question: `Question ${index}?`,
  answer: `Answer ${index}.`,
}));

type Fixture = Awaited<ReturnType<typeof aProject>>;

describe('Options of a question with a chat model', () => {
  const faults: Fault[] = [];
  let answers = 0;
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let server: Awaited<ReturnType<typeof anApiProcess>>;
  let fixture: Fixture;

  const callsTo = (path: string) => provider.calls.filter((each) => each.path.endsWith(path));
  const chatCalls = () => callsTo('/chat/completions');
  const textsOf = ({ body }: ProviderCall) => (body.messages ?? []).map(({ content }) => content);
  const callAs = (path: string, body: object, { admin }: Fixture = fixture): Promise<Reply> =>
    call('POST', `${server.url}${path}`, { body, headers: { authorization: admin.authorization } });
  const ask = (more: object = {}, asker: Fixture = fixture) =>
    callAs(`/v3/${asker.project.id}/kb/qa`, { namespace: asker.project.id, question: QUESTION, ...more }, asker);
  const tokensSpent = async (): Promise<number> =>
    (await mongoose.connection.collection('budgets').findOne({ id_project: fixture.project.id, name: 'ai_tokens' }))
      ?.spent ?? 0;
  const add = ({ admin, project: { id } }: Fixture, name: string, content: string) =>
    addContent(admin, id, aTextBody(id, { name, source: name, content }));

  const aProjectWithContents = async (): Promise<Fixture> => {
    const created = await aProject();
    await add(created, 'hours', 'The shop opens at nine in the morning. The shop is open.');
    await add(created, 'sundays', 'On Sundays the shop opens at noon.');
    await add(created, 'doors', 'The door of the shop is green.');
    await runJobs();
    return created;
  };

  before(async () => {
    provider = await aProvider({
      answer: (messages) => {
        const last = messages.at(-1)?.content ?? '';
        if (messages[0]?.content.startsWith('Summarize this conversation')) return SUMMARY;
        if (last.startsWith('Rewrite the last question')) return QUESTION;
        if (last === UNANSWERABLE_QUESTION) return 'The texts do not say. <NOANS>';
        answers += 1;
        return `This is answer number ${answers} [1].`;
      },
      relevance: (document) => (document.includes('noon') ? 0.9 : document.includes('green') ? 0.5 : 0.1),
      faultOf: () => faults.shift(),
    });
    server = await anApiProcess({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'key',
      CHAT_MODEL: 'fake-chat',
      CHAT_MODELS: 'gpt-5-fake',
      RERANK_BASE_URL: provider.baseUrl,
      RERANK_API_KEY: 'rerank-key',
      RERANK_MODEL: 'fake-reranker',
      AI_TOKENS_PER_DAY: '100000',
      AI_MAX_RETRY_WAIT_SECONDS: '0.1',
      EMBEDDING_MODEL_FILE: 'off',
    });
  });
  beforeEach(async () => {
    faults.length = 0;
    fixture = await aProjectWithContents();
  });
  after(async () => {
    await server.stop();
    await provider.close();
  });

  describe('use_cache', () => {
    it('a cached answer, streamed or not, is returned without a call to the model and uses no tokens', async () => {
      const first = (await ask({ use_cache: true })).body;
      expect(first).to.not.have.property('cache_level');
      const spent = await tokensSpent();
      const before = chatCalls().length;
      const again = (await ask({ use_cache: true })).body;
      expect(again).to.include({ answer: first.answer, success: true, cache_level: 'exact', cache_similarity: 1 });
      expect([again.prompt_token_size, again.sources]).to.deep.equal([0, first.sources]);
      const events = parseSseEvents((await ask({ use_cache: true, stream: true })).text);
      expect(events[0]).to.deep.equal({ content: first.answer });
      expect(events.at(-2)).to.include({ answer: first.answer, cache_level: 'exact' });
      expect([chatCalls().length, await tokensSpent()]).to.deep.equal([before, spent]);
      expect((await ask()).body.answer).to.not.equal(first.answer);
    });

    it('a streamed answer is cached as well, and a question with other options gets a different answer', async () => {
      const streamed = parseSseEvents((await ask({ use_cache: true, stream: true })).text).at(-2) as { answer: string };
      expect((await ask({ use_cache: true })).body.answer).to.equal(streamed.answer);
      for (const more of [{ temperature: 0.5 }, { system_context: 'Be brief.' }, { model: 'gpt-5-fake' }, { top_k: 1 }])
        expect((await ask({ use_cache: true, ...more })).body.answer).to.not.equal(streamed.answer);
    });

    it('a change to the contents leads to a new answer', async () => {
      const { answer } = (await ask({ use_cache: true })).body;
      const { _id } = await add(fixture, 'holidays', 'On holidays the shop does not open.');
      await runJobs();
      const changed = (await ask({ use_cache: true })).body;
      expect(changed.answer).to.not.equal(answer);
      expect(changed.ids).to.include(_id);
    });

    it('a cached answer is never returned in another project with the same contents', async () => {
      const other = await aProjectWithContents();
      const { answer } = (await ask({ use_cache: true })).body;
      const { body } = await ask({ use_cache: true }, other);
      expect(body.answer).to.not.equal(answer);
      expect(body).to.not.have.property('cache_level');
    });

    it('neither a refusal to answer nor an error is cached', async () => {
      const before = chatCalls().length;
      for (const _ of [1, 2])
        expect((await ask({ use_cache: true, question: UNANSWERABLE_QUESTION })).body.success).to.equal(false);
      expect(chatCalls().length).to.equal(before + 2);
      faults.push({ status: 400 });
      expect((await ask({ use_cache: true })).status).to.equal(502);
      expect((await ask({ use_cache: true })).body).to.not.have.property('cache_level');
    });
  });

  describe('conversation_summary', () => {
    const chat_history_dict = Object.fromEntries(TURNS.map((turn, index) => [index, turn]));

    it('the model summarizes the older turns of a long history, and the summary takes their place', async () => {
      const before = chatCalls().length;
      const { body } = await ask({ conversation_summary: true, chat_history_dict, max_history_messages: 4 });
      const [summary, completion, answer, ...others] = chatCalls().slice(before).map(textsOf);
      expect(others).to.deep.equal([]);
      expect(summary?.[1]).to.include('Answer 0.').and.to.include('Answer 8.').and.not.include('Answer 9.');
      const history = [SUMMARY, 'Question 9?', 'Answer 9.', 'Question 10?', 'Answer 10.', 'Question 11?', 'Answer 11.'];
      expect(completion?.slice(1, 8)).to.deep.equal(history);
      expect(answer?.slice(2, 9)).to.deep.equal(history);
      expect(Object.keys(body.chat_history_dict)).to.have.length(TURNS.length + 1);
      const counts = chatCalls().slice(before).flatMap(textsOf).join(' ').split(/\s+/).length;
      expect(await tokensSpent()).to.be.at.least(counts);
    });

    it('a history is not summarized if it is short, or if max_history_messages is 0', async () => {
      const before = chatCalls().length;
      const short = { 0: TURNS[0], 1: TURNS[1] };
      await ask({ conversation_summary: true, chat_history_dict: short });
      await ask({ conversation_summary: true, chat_history_dict, max_history_messages: 0 });
      const summaries = chatCalls()
        .slice(before)
        .filter((each) => textsOf(each)[0]?.startsWith('Summarize'));
      expect(summaries).to.deep.equal([]);
    });
  });

  describe('thinking', () => {
    const lastCall = () => chatCalls().at(-1)?.body;

    it('`thinking` is passed on to the provider, for gpt-5 and later models as `reasoning_effort`', async () => {
      await ask({ thinking: { type: 'enabled', budget_tokens: 2000 } });
      expect(lastCall()?.thinking).to.deep.equal({ type: 'enabled', budget_tokens: 2000 });
      await ask({ thinking: true, model: 'gpt-5-fake' });
      expect(lastCall()).to.include({ reasoning_effort: 'medium' }).and.not.have.property('thinking');
      await ask();
      expect(lastCall()).to.not.have.any.keys('thinking', 'reasoning_effort');
      const preview = { llm: 'openai', question: QUESTION, thinking: { type: 'disabled' } };
      await callAs(`/v3/${fixture.project.id}/llm/preview`, preview);
      expect(lastCall()?.thinking).to.deep.equal({ type: 'disabled' });
    });
  });

  describe('reranking', () => {
    const chunksOf = async (more: object = {}): Promise<string[]> =>
      (await ask({ chunks_only: true, ...more })).body.chunks;

    it('the reranker orders the best chunks, and its tokens are counted', async () => {
      expect((await chunksOf({ top_k: 1 }))[0]).to.include('nine');
      const spent = await tokensSpent();
      const [best, second, ...others] = await chunksOf({ top_k: 2, reranking: true });
      expect([best, second]).to.deep.equal(['On Sundays the shop opens at noon.', 'The door of the shop is green.']);
      expect(others).to.deep.equal([]);
      const { authorization, body } = callsTo('/rerank').at(-1) as ProviderCall;
      expect(authorization).to.equal('Bearer rerank-key');
      expect(body)
        .to.include({ model: 'fake-reranker', query: QUESTION })
        .and.nested.include({ 'documents.length': 3 });
      expect(await tokensSpent()).to.equal(spent + (body.documents ?? []).join(' ').split(/\s+/).length);
      await chunksOf({ top_k: 1, reranking: true, reranking_multiplier: 2 });
      expect(callsTo('/rerank').at(-1)?.body.documents).to.have.length(2);
    });

    it('the answer is written from the reranked chunks', async () => {
      const { body } = await ask({ top_k: 1, reranking: true, citations: true });
      expect(body.sources).to.deep.equal(['sundays']);
    });

    it('a question gets 503 if the reranker is down, and 502 if the answer of the reranker is invalid', async () => {
      faults.push({ status: 503 }, { status: 503 }, { status: 503 });
      expect((await ask({ reranking: true })).status).to.equal(503);
      faults.push({ body: '{"results":[{"index":99,"relevance_score":1}]}' });
      expect((await ask({ reranking: true })).status).to.equal(502);
    });

    it('when a client disconnects, the call to the reranker ends', async () => {
      faults.push({ hang: 'start' });
      const clientRequest = request(`${server.url}/v3/${fixture.project.id}/kb/qa`, {
        method: 'POST',
        headers: { authorization: fixture.admin.authorization, 'content-type': 'application/json' },
      });
      clientRequest.on('error', () => undefined);
      const before = callsTo('/rerank').length;
      clientRequest.end(JSON.stringify({ namespace: fixture.project.id, question: QUESTION, reranking: true }));
      await waitUntil(() => callsTo('/rerank').length > before);
      const aborted = provider.aborted();
      clientRequest.destroy();
      await waitUntil(() => provider.aborted() > aborted);
    });
  });

  it('a similarity_threshold without an embedding model is rejected (422) with an error that names the field', async () => {
    const { status, body } = await ask({ similarity_threshold: 0.5 });
    expect([status, body.errors[0].path]).to.deep.equal([422, 'similarity_threshold']);
  });
});
