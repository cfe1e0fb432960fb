import { expect } from 'chai';
import { api } from '../support/api.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { parseSseEvents } from '../support/parse-sse.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const HOURS_TEXT = '# Opening hours\n\nThe shop opens at nine in the morning and closes at six in the evening.';
const RETURNS_TEXT =
  '# Returns\n\nYou can send an article back within thirty days. We pay the postage when it was broken.';
const SECRET_TEXT = '# Safe\n\nThe code of the safe behind the picture is canary-4711.';
const QUESTION = 'When does the shop open in the morning?';
const UNANSWERABLE_QUESTION = 'Which planet has the most moons?';

describe('Question to a knowledge base', () => {
  let fixture: ProjectFixture;
  let other: ProjectFixture;
  let projectId: string;
  let hours: { _id: string; source: string };

  const ask = (body: object, headers: Record<string, string> = {}) =>
    api(fixture.admin).post(`/v3/${projectId}/kb/qa`, { namespace: projectId, question: QUESTION, ...body }, headers);
  const add = (fields: object) => addContent(fixture.admin, projectId, aTextBody(projectId, fields));
  const unanswered = async () => (await api(fixture.admin).get(`/v3/${projectId}/kb/unanswered/${projectId}`)).body;

  before(async () => {
    [fixture, other] = await Promise.all([aProject(), aProject()]);
    projectId = fixture.project.id;
    hours = await add({ name: 'Hours', content: HOURS_TEXT, tags: ['shop', 'times'] });
    await add({ name: 'Returns', content: RETURNS_TEXT, tags: ['shop'] });
    await addContent(
      other.admin,
      other.project.id,
      aTextBody(other.project.id, { name: 'Safe', content: SECRET_TEXT }),
    );
    await runJobs();
  });

  it('a question is answered from the contents, with sources and the chat history extended by this question', async () => {
    const { status, body } = await ask({});
    expect(status).to.equal(200);
    expect(body).to.include({ success: true, namespace: projectId, model: 'extractive', id: hours._id });
    expect(body.error_message).to.equal(null);
    expect(body.answer).to.include('nine in the morning');
    expect(body.ids[0]).to.equal(hours._id);
    expect(body.sources).to.include(hours.source);
    expect(body.source).to.equal(body.sources.join(' '));
    expect(body.citations[0]).to.deep.equal({ source_id: 1, source_name: 'Hours', source: hours.source });
    expect(body).to.include({ content_chunks: null, prompt_token_size: 0 });
    expect(body.chat_history_dict).to.deep.equal({ 0: { question: QUESTION, answer: body.answer } });
    expect(body.duration).to.be.a('number');
  });

  it('a question may be sent by GET', async () => {
    const { status, body } = await api(fixture.admin).call('GET', `/v3/${projectId}/kb/qa`, {
      question: QUESTION,
      namespace: projectId,
    });
    expect([status, body.success]).to.deep.equal([200, true]);
  });

  it('the reply to a question contains all previous turns of the chat history, and the new one', async () => {
    const before = { 0: { question: 'a', answer: 'b' }, 2: { question: 'c', answer: 'd' } };
    const { chat_history_dict: turns, answer } = (await ask({ chat_history_dict: before })).body;
    expect(turns).to.deep.equal({ ...before, 3: { question: QUESTION, answer } });
  });

  it('a question without a match returns `success: false` and is logged once', async () => {
    const before = await unanswered();
    const { status, body } = await ask({ question: UNANSWERABLE_QUESTION });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ success: false, id: null, ids: [], source: '', sources: [], citations: [] });
    expect(body.answer).to.be.a('string').and.not.equal('');
    const after = await unanswered();
    expect([after.count, after.questions[0].question]).to.deep.equal([before.count + 1, UNANSWERABLE_QUESTION]);
    const { count } = (await api(fixture.admin).get(`/v3/${projectId}/kb/unanswered/count/${projectId}`)).body;
    expect(count).to.equal(after.count);
  });

  it('a question with chunks_only returns only the chunks and is never logged', async () => {
    const before = (await unanswered()).count;
    const { body } = await ask({ chunks_only: true, top_k: 1 });
    expect(body).to.include({ success: true, namespace: projectId, error_message: null });
    expect([body.chunks.length, body.chunk_ids.length, body.metadata.length]).to.deep.equal([1, 1, 1]);
    expect(body.chunks[0]).to.include('nine in the morning');
    expect(body.metadata[0]).to.deep.include({ id: hours._id, source: hours.source, name: 'Hours' });
    expect(body).to.not.have.property('answer');
    const none = (await ask({ chunks_only: true, tags: ['unused tag'] })).body;
    expect(none).to.deep.include({
      success: false,
      chunks: [],
      error_message: 'No chunks found with the current filters.',
    });
    expect((await unanswered()).count).to.equal(before);
  });

  it('a question searches only contents that have all the given tags, or whose tags match the given expression', async () => {
    const searchByTags = async (tags: unknown) =>
      (await ask({ chunks_only: true, tags })).body.metadata.map(({ name }: { name: string }) => name);
    expect(await searchByTags(['shop', 'times'])).to.deep.equal(['Hours']);
    expect(await searchByTags('times')).to.deep.equal(['Hours']);
    expect(await searchByTags(['shop'])).to.have.members(['Hours', 'Returns']);
    expect(await searchByTags('shop & !times')).to.deep.equal(['Returns']);
    expect(await searchByTags('times | !(shop)')).to.deep.equal(['Hours']);
  });

  it('a streamed answer consists of its parts, the whole answer and [DONE]', async () => {
    const { status, headers, text } = await ask({ stream: true });
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    });
    const events = parseSseEvents(text) as { content?: string; answer?: string; success?: boolean }[];
    const [reply, end] = events.slice(-2);
    expect(end).to.equal('[DONE]');
    expect(
      events
        .slice(0, -2)
        .map(({ content }) => content)
        .join(''),
    ).to.equal(reply?.answer);
    expect(reply).to.deep.include({ success: true, namespace: projectId, model: 'extractive' });
  });

  it('a streamed question without a match is logged once', async () => {
    const before = (await unanswered()).count;
    const { text } = await ask({ stream: true, question: UNANSWERABLE_QUESTION });
    expect(parseSseEvents(text).at(-2)).to.include({ success: false });
    expect((await unanswered()).count).to.equal(before + 1);
  });

  it('a streamed question with an Idempotency-Key returns 422 before the knowledge base is searched', async () => {
    await ask({}); // caches the caller and the project
    const commands = await commandsDuring(async () => {
      for (const stream of [true, 'true', '1']) {
        const { status, body } = await ask({ stream }, { 'idempotency-key': 'streamed' });
        expect([status, body.error]).to.deep.equal([422, 'Idempotency-Key cannot be combined with `stream: true`']);
      }
    });
    expect(commands).to.deep.equal([]);
  });

  it('a question with chunks_only, `stream: true` and an Idempotency-Key returns the chunks, because the reply is not streamed', async () => {
    const { status, body } = await ask({ chunks_only: true, stream: true }, { 'idempotency-key': 'chunks' });
    expect([status, body.success]).to.deep.equal([200, true]);
  });

  it('a request without a question or a namespace returns 400, even with `stream: true`', async () => {
    const noQuestion = await ask({ question: '' });
    expect([noQuestion.status, noQuestion.body.error]).to.deep.equal([400, "parameter 'question' is not defined"]);
    const noNamespace = await ask({ namespace: undefined, stream: true });
    expect([noNamespace.status, noNamespace.body.error]).to.deep.equal([400, "parameter 'namespace' is not defined"]);
  });

  it("a question never reads another project's namespace", async () => {
    for (const namespace of [other.project.id, '0'.repeat(24)]) {
      const { status, body } = await ask({ namespace, question: 'What is the code of the safe?', stream: true });
      expect([status, body.error]).to.deep.equal([404, `Namespace not found with id ${namespace}`]);
    }
    const reply = await ask({ question: 'What is the code of the safe behind the picture?', chunks_only: true });
    expect(reply.text).to.not.include('canary-4711');
  });

  it('a question does not find a deleted content', async () => {
    const content = '# Parking\n\nThere are ten parking places behind the house.';
    const { _id } = await add({ content });
    await runJobs();
    const parking = { question: 'How many parking places are there?', chunks_only: true };
    expect((await ask(parking)).text).to.include('ten parking places');
    await api(fixture.admin).delete(`/v3/${projectId}/kb/${_id}`);
    expect((await ask(parking)).text).to.not.include('ten parking places');
  });

  describe('Engine, embedder and provider of a question', () => {
    it('a question accepts the engine and embedder in use, or empty fields for them', async () => {
      const [{ engine, embedding }] = (await api(fixture.admin).get(`/v3/${projectId}/kb/namespace/all`)).body;
      expect((await ask({ engine, embedding })).status).to.equal(200);
      expect((await ask({ engine: { host: '', apikey: null }, embedding: null })).status).to.equal(200);
    });

    const others: [string, object, string][] = [
      ['an engine that is not in use', { engine: { name: 'pinecone' } }, 'engine.name'],
      ['a host for the engine', { engine: { host: 'http://169.254.169.254/' } }, 'engine.host'],
      ['a key for the engine', { engine: { apikey: 'sk-secret-1' } }, 'engine.apikey'],
      ['an embedder that is not in use', { embedding: { name: 'text-embedding-ada-002' } }, 'embedding.name'],
      ['a URL for the embedder', { embedding: { url: 'http://127.0.0.1:6379/' } }, 'embedding.url'],
      ['a key for the embedder', { embedding: { api_key: 'sk-secret-2' } }, 'embedding.api_key'],
      ['a gptkey', { gptkey: 'sk-secret-3' }, 'gptkey'],
      ['a vllmServer', { llm: 'vllm', vllmServer: 'http://127.0.0.1:1/' }, 'vllmServer'],
    ];
    for (const [defect, more, path] of others) {
      it(`a question with ${defect} is rejected (422), and the error repeats neither a key nor the address of the cloud's metadata service`, async () => {
        const { status, body, text } = await ask(more);
        expect(status, text).to.equal(422);
        expect(body.errors[0]).to.include({ path, param: path });
        expect(text).to.not.include('sk-secret').and.not.include('169.254');
        if (path.startsWith('e')) expect(body.error).to.include('must be omitted or match this installation');
      });
    }

    it('a question for a model provider that is not set up returns 404, or 422 if the provider is self-hosted, such as ollama', async () => {
      const hosted = await ask({ llm: 'anthropic' });
      expect([hosted.status, hosted.body.error]).to.deep.equal([
        404,
        `Integration anthropic not found for project ${projectId}`,
      ]);
      const reply = await ask({ llm: 'ollama' });
      expect([reply.status, reply.body.error]).to.deep.equal([422, 'ollama integration not found']);
    });
  });
});
