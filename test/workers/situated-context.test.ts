/** Contents with `situated_context`: a chat model writes a sentence about each chunk; the chunk is indexed with it. */
import { expect } from 'chai';
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { CONTENT_STATUS } from '#shared/models/kb-content.ts';
import { api } from '../support/api.ts';
import { aTextBody } from '../support/content-bodies.ts';
import { aProvider, type Fault } from '../support/fake-openai.ts';
import { wordEmbedder } from '../support/indexed-contents.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

const FIRST = 'It is boiled for three minutes before it is served.';
const SECOND = 'It is kept in a cool and dry cupboard for a year.';
/** Makes each paragraph long enough to become a chunk of its own. */
const FILLER = ' Nothing else is said about it in this part.'.repeat(16);
const paragraphs = (...texts: string[]) =>
  texts.map((text, index) => `# Part ${index}\n\n${text}${FILLER}`).join('\n\n');

describe('Content with situated_context', () => {
  const original = { embedder: embedder(), settings: { ...config } };
  const faults: Fault[] = [];
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let fixture: Awaited<ReturnType<typeof aProject>>;

  const promptsOf = () => provider.calls.map(({ body }) => body.messages?.[1]?.content ?? '');
  const add = async (more: object = {}) => {
    const { project, admin } = fixture;
    const body = aTextBody(project.id, { source: 'tea', content: paragraphs(FIRST), situated_context: true, ...more });
    const reply = await api(admin).post(`/v3/${project.id}/kb`, body);
    expect(reply.status, reply.text).to.equal(200);
    await runJobs();
    return (await api(admin).get(`/v3/${project.id}/kb/${reply.body.value._id}`)).body;
  };
  const storedChunks = () => KbChunk.find({ id_project: fixture.project.id }).sort({ index: 1 }).lean();
  const find = (question: string) =>
    retrieve({ id_project: fixture.project.id, namespace: fixture.project.id }, question, { limit: 5 });

  before(async () => {
    setEmbedder(wordEmbedder);
    provider = await aProvider({
      answer: (messages) => {
        const [, passage = ''] = messages.at(-1)?.content.split('Passage:') ?? [];
        return passage.includes('boiled') ? 'About the brewing of Darjeeling.' : 'About the storage of Darjeeling.';
      },
      faultOf: () => faults.shift(),
    });
    Object.assign(config, {
      ...{ OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'key', CHAT_MODEL: 'fake-chat' },
      ...{ SITUATED_CONTEXT_MODEL: 'fake-writer', AI_TOKENS_PER_DAY: 1_000_000, AI_MAX_RETRY_WAIT_SECONDS: 0.1 },
    });
  });
  beforeEach(async () => {
    provider.calls.length = 0;
    fixture = await aProject();
  });
  after(async () => {
    const { OPENAI_BASE_URL, OPENAI_API_KEY, CHAT_MODEL, SITUATED_CONTEXT_MODEL, ...others } = original.settings;
    const { AI_TOKENS_PER_DAY, AI_MAX_RETRY_WAIT_SECONDS } = others;
    Object.assign(config, { OPENAI_BASE_URL, OPENAI_API_KEY, CHAT_MODEL, SITUATED_CONTEXT_MODEL });
    Object.assign(config, { AI_TOKENS_PER_DAY, AI_MAX_RETRY_WAIT_SECONDS });
    setEmbedder(original.embedder);
    await provider.close();
  });

  it('a chunk is found by the words of its context, which is not part of its text', async () => {
    const content = await add({ content: paragraphs(FIRST, SECOND) });
    expect(content).to.include({ status: CONTENT_STATUS.indexed, situated_context: true });
    const { chunks } = await find('the storage of Darjeeling');
    expect(chunks[0]?.text).to.include(SECOND);
    expect(chunks.map(({ text }) => text).join()).to.not.include('Darjeeling');
    expect(provider.calls.every(({ body }) => body.model === 'fake-writer')).to.equal(true);
    expect(promptsOf().every((prompt) => prompt.includes(FIRST) && prompt.includes(SECOND))).to.equal(true);
  });

  it('the tokens of the calls to the model are counted for the project', async () => {
    await add();
    const filter = { id_project: fixture.project.id, name: 'ai_tokens' };
    const budget = await mongoose.connection.collection('budgets').findOne(filter);
    expect(budget?.spent).to.be.at.least(promptsOf().join(' ').split(/\s+/).length);
  });

  it('an unchanged chunk keeps its context without another call to the model, and the option can be switched off', async () => {
    await add({ content: paragraphs(FIRST) });
    const before = provider.calls.length;
    await add({ content: paragraphs(FIRST, SECOND) });
    expect(promptsOf().slice(before)).to.have.length(1);
    expect((await storedChunks()).map(({ context }) => context)).to.deep.equal([
      'About the brewing of Darjeeling.',
      'About the storage of Darjeeling.',
    ]);
    const content = await add({ content: paragraphs(FIRST, SECOND), situated_context: false });
    expect(content.situated_context).to.equal(undefined);
    expect((await storedChunks()).map(({ context }) => context)).to.deep.equal([undefined, undefined]);
  });

  it('a content whose model call is rejected fails with the reason', async () => {
    faults.push({ status: 400 });
    const { status, error } = await add();
    expect([status, error.code]).to.deep.equal([CONTENT_STATUS.failed, 'AI_REQUEST_REJECTED']);
  });

  it('a content waits for the next day if the project has used up its daily tokens', async () => {
    Object.assign(config, { AI_TOKENS_PER_DAY: 1 });
    try {
      await add({ source: 'first' });
      const { status, waiting } = await add({ source: 'second', content: paragraphs(SECOND) });
      expect([status, waiting.code]).to.deep.equal([CONTENT_STATUS.queued, 'AI_TOKEN_BUDGET_EXHAUSTED']);
    } finally {
      Object.assign(config, { AI_TOKENS_PER_DAY: 1_000_000 });
    }
  });

  it('an exported namespace keeps the option; an instance without a chat model that imports the namespace indexes it without contexts', async () => {
    await add();
    const { admin, project } = fixture;
    const file = (await api(admin).get(`/v3/${project.id}/kb/namespace/export/${project.id}`)).body;
    Object.assign(config, { CHAT_MODEL: undefined });
    try {
      const other = await aProject();
      const { status } = await api(other.admin).post(
        `/v3/${other.project.id}/kb/namespace/import/${other.project.id}`,
        file,
      );
      expect(status).to.equal(200);
      await runJobs();
      const { kbs } = (await api(other.admin).get(`/v3/${other.project.id}/kb?namespace=${other.project.id}`)).body;
      expect(kbs[0]).to.include({ status: CONTENT_STATUS.indexed, situated_context: true });
      const chunks = await KbChunk.find({ id_project: other.project.id }).lean();
      expect(chunks.map(({ context }) => context)).to.deep.equal([undefined]);
    } finally {
      Object.assign(config, { CHAT_MODEL: 'fake-chat' });
    }
  });
});
