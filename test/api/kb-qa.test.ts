import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aText, added } from '../support/contents.ts';
import { eventsOf } from '../support/events.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const HOURS = '# Opening hours\n\nThe shop opens at nine in the morning and closes at six in the evening.';
const RETURNS = '# Returns\n\nYou can send an article back within thirty days. We pay the postage when it was broken.';
const SECRET = '# Safe\n\nThe code of the safe behind the picture is canary-4711.';
const ASKED = 'When does the shop open in the morning?';
const UNKNOWN = 'Which planet has the most moons?';

describe('Asking a knowledge base', () => {
  let world: World;
  let other: World;
  let pid: string;
  let hours: { _id: string; source: string };

  const ask = (body: object) => api(world.admin).post(`/v3/${pid}/kb/qa`, { namespace: pid, question: ASKED, ...body });
  const unanswered = async () => (await api(world.admin).get(`/v3/${pid}/kb/unanswered/${pid}`)).body;

  before(async () => {
    [world, other] = await Promise.all([aProject(), aProject()]);
    pid = world.project.id;
    hours = await added(world.admin, pid, aText(pid, { name: 'Hours', content: HOURS, tags: ['shop', 'times'] }));
    await added(world.admin, pid, aText(pid, { name: 'Returns', content: RETURNS, tags: ['shop'] }));
    await added(other.admin, other.project.id, aText(other.project.id, { name: 'Safe', content: SECRET }));
    await runJobs();
  });

  it('answers from its contents, with their sources and the turn at the end of the history', async () => {
    const { status, body } = await ask({});
    expect(status).to.equal(200);
    expect(body).to.include({ success: true, namespace: pid, model: 'extractive', id: hours._id, error_message: null });
    expect(body.answer).to.include('nine in the morning');
    expect(body.ids[0]).to.equal(hours._id);
    expect(body.sources).to.include(hours.source);
    expect(body.source).to.equal(body.sources.join(' '));
    expect(body.citations[0]).to.deep.equal({ source_id: 1, source_name: 'Hours', source: hours.source });
    expect(body).to.include({ content_chunks: null, prompt_token_size: 0 });
    expect(body.chat_history_dict).to.deep.equal({ 0: { question: ASKED, answer: body.answer } });
    expect(body.duration).to.be.a('number');
  });

  it('is asked by GET too, as the sample has it', async () => {
    const { status, body } = await api(world.admin).call('GET', `/v3/${pid}/kb/qa`, {
      question: ASKED,
      namespace: pid,
    });
    expect([status, body.success]).to.deep.equal([200, true]);
  });

  it('keeps the turns before, and none of them gives way to the new one', async () => {
    const before = { 0: { question: 'a', answer: 'b' }, 2: { question: 'c', answer: 'd' } };
    const { chat_history_dict: turns, answer } = (await ask({ chat_history_dict: before })).body;
    expect(turns).to.deep.equal({ ...before, 3: { question: ASKED, answer } });
  });

  it('says no where nothing is known, and logs the question once', async () => {
    const before = await unanswered();
    const { status, body } = await ask({ question: UNKNOWN });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ success: false, id: null, ids: [], source: '', sources: [], citations: [] });
    expect(body.answer).to.be.a('string').and.not.equal('');
    const after = await unanswered();
    expect([after.count, after.questions[0].question]).to.deep.equal([before.count + 1, UNKNOWN]);
    const { count } = (await api(world.admin).get(`/v3/${pid}/kb/unanswered/count/${pid}`)).body;
    expect(count).to.equal(after.count);
  });

  it('gives the passages alone when asked, and then logs nothing', async () => {
    const before = (await unanswered()).count;
    const { body } = await ask({ chunks_only: true, top_k: 1 });
    expect(body).to.include({ success: true, namespace: pid, error_message: null });
    expect([body.chunks.length, body.chunk_ids.length, body.metadata.length]).to.deep.equal([1, 1, 1]);
    expect(body.chunks[0]).to.include('nine in the morning');
    expect(body.metadata[0]).to.deep.include({ id: hours._id, source: hours.source, name: 'Hours' });
    expect(body).to.not.have.property('answer');
    const none = (await ask({ chunks_only: true, tags: ['nobody has this'] })).body;
    expect(none).to.deep.include({
      success: false,
      chunks: [],
      error_message: 'No chunks found with the current filters.',
    });
    expect((await unanswered()).count).to.equal(before);
  });

  it('looks only at contents with all the tags', async () => {
    const found = async (tags: unknown) =>
      (await ask({ chunks_only: true, tags })).body.metadata.map(({ name }: { name: string }) => name);
    expect(await found(['shop', 'times'])).to.deep.equal(['Hours']);
    expect(await found('times')).to.deep.equal(['Hours']);
    expect(await found(['shop'])).to.have.members(['Hours', 'Returns']);
    const { status, body } = await ask({ tags: 'shop & !times' });
    expect([status, body.errors[0].path]).to.deep.equal([422, 'tags']);
  });

  it('streams pieces, then the whole, then the end', async () => {
    const { status, headers, text } = await ask({ stream: true });
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    });
    const events = eventsOf(text) as { content?: string; answer?: string; success?: boolean }[];
    const [whole, end] = events.slice(-2);
    expect(end).to.equal('[DONE]');
    expect(
      events
        .slice(0, -2)
        .map(({ content }) => content)
        .join(''),
    ).to.equal(whole?.answer);
    expect(whole).to.deep.include({ success: true, namespace: pid, model: 'extractive' });
  });

  it('logs a streamed no once', async () => {
    const before = (await unanswered()).count;
    const { text } = await ask({ stream: true, question: UNKNOWN });
    expect(eventsOf(text).at(-2)).to.include({ success: false });
    expect((await unanswered()).count).to.equal(before + 1);
  });

  it('asks for question and namespace (400) before anything else', async () => {
    const silent = await ask({ question: '' });
    expect([silent.status, silent.body.error]).to.deep.equal([400, "parameter 'question' is not defined"]);
    const nowhere = await ask({ namespace: undefined, stream: true });
    expect([nowhere.status, nowhere.body.error]).to.deep.equal([400, "parameter 'namespace' is not defined"]);
  });

  it("never looks into another project's knowledge (A1, A13)", async () => {
    for (const namespace of [other.project.id, '0'.repeat(24)]) {
      const { status, body } = await ask({ namespace, question: 'What is the code of the safe?', stream: true });
      expect([status, body.error]).to.deep.equal([404, `Namespace not found with id ${namespace}`]);
    }
    const own = await ask({ question: 'What is the code of the safe behind the picture?', chunks_only: true });
    expect(own.text).to.not.include('canary-4711');
  });

  it('forgets a content with its deletion', async () => {
    const content = '# Parking\n\nThere are ten parking places behind the house.';
    const { _id } = await added(world.admin, pid, aText(pid, { content }));
    await runJobs();
    const parking = { question: 'How many parking places are there?', chunks_only: true };
    expect((await ask(parking)).text).to.include('ten parking places');
    await api(world.admin).delete(`/v3/${pid}/kb/${_id}`);
    expect((await ask(parking)).text).to.not.include('ten parking places');
  });

  describe('naming the engine, the embedder and the provider (decision 46, A4)', () => {
    it('takes what runs, and what is left empty', async () => {
      const [{ engine, embedding }] = (await api(world.admin).get(`/v3/${pid}/kb/namespace/all`)).body;
      expect((await ask({ engine, embedding })).status).to.equal(200);
      expect((await ask({ engine: { host: '', apikey: null }, embedding: null })).status).to.equal(200);
    });

    const others: [string, object, string][] = [
      ['another engine', { engine: { name: 'pinecone' } }, 'engine.name'],
      ['a host', { engine: { host: 'http://169.254.169.254/' } }, 'engine.host'],
      ['a key', { engine: { apikey: 'sk-secret-1' } }, 'engine.apikey'],
      ['another embedder', { embedding: { name: 'text-embedding-ada-002' } }, 'embedding.name'],
      ['an address of an embedder', { embedding: { url: 'http://127.0.0.1:6379/' } }, 'embedding.url'],
      ["an embedder's key", { embedding: { api_key: 'sk-secret-2' } }, 'embedding.api_key'],
      ['a key of its own', { gptkey: 'sk-secret-3' }, 'gptkey'],
      ['a server', { llm: 'vllm', vllmServer: 'http://127.0.0.1:1/' }, 'vllmServer'],
    ];
    for (const [what, more, path] of others) {
      it(`refuses ${what}, tells what runs and repeats no secret (422)`, async () => {
        const { status, body, text } = await ask(more);
        expect(status, text).to.equal(422);
        expect(body.errors[0]).to.include({ path, param: path });
        expect(text).to.not.include('sk-secret').and.not.include('169.254');
        if (path.startsWith('e')) expect(body.error).to.include('what runs here is');
      });
    }

    it('knows no provider that is not set up', async () => {
      const hosted = await ask({ llm: 'anthropic' });
      expect([hosted.status, hosted.body.error]).to.deep.equal([
        404,
        `Integration anthropic not found for project ${pid}`,
      ]);
      const own = await ask({ llm: 'ollama' });
      expect([own.status, own.body.error]).to.deep.equal([422, 'ollama integration not found']);
    });
  });

  describe('limits and options (A12, decision 5)', () => {
    const refused: [object, string][] = [
      [{ question: 'q'.repeat(4001) }, 'question'],
      [{ top_k: 51 }, 'top_k'],
      [{ top_k: 0 }, 'top_k'],
      [{ top_k: 1e308 }, 'top_k'],
      [{ top_k: 1.5 }, 'top_k'],
      [{ max_tokens: 1_000_000_000 }, 'max_tokens'],
      [{ max_tokens: -1 }, 'max_tokens'],
      [{ temperature: 3 }, 'temperature'],
      [{ top_p: 2 }, 'top_p'],
      [{ alpha: -0.1 }, 'alpha'],
      [{ system_context: 's'.repeat(20_001) }, 'system_context'],
      [{ tags: Array(51).fill('t') }, 'tags'],
      [{ chat_history_dict: { 0: { question: 'q', answer: 'a'.repeat(20_001) } } }, 'chat_history_dict.0.answer'],
      [{ chat_history_dict: { first: { question: 'q', answer: 'a' } } }, 'chat_history_dict.first'],
      [{ max_history_messages: 51 }, 'max_history_messages'],
      [{ stream: 'maybe' }, 'stream'],
      [{ search_type: 'magic' }, 'search_type'],
      [{ reranking: true }, 'reranking'],
      [{ use_hyde: true }, 'use_hyde'],
      [{ use_cache: true }, 'use_cache'],
      [{ conversation_summary: true }, 'conversation_summary'],
      [{ thinking: { type: 'enabled' } }, 'thinking'],
    ];
    for (const [more, path] of refused) {
      const shown = JSON.stringify(more);
      it(`refuses ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown} (422)`, async () => {
        const { status, body } = await ask(more);
        expect([status, body.errors?.[0].path]).to.deep.equal([422, path]);
      });
    }

    it('takes options that are off, and fields that nobody knows', async () => {
      const off = {
        reranking: false,
        use_hyde: false,
        use_cache: false,
        conversation_summary: false,
        vllmServer: '',
        gptkey: null,
      };
      expect((await ask({ ...off, system_context: null, model: null, tags: null, unheard_of: 1 })).status).to.equal(
        200,
      );
    });
  });
});
