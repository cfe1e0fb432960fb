import { expect } from 'chai';
import { api } from '../support/api.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

describe('Limits and options of a question', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;

  const ask = (body: object) => {
    const { admin, project } = fixture;
    const question = { namespace: project.id, question: 'When does the shop open in the morning?', ...body };
    return api(admin).post(`/v3/${project.id}/kb/qa`, question);
  };

  before(async () => {
    fixture = await aProject();
    const { admin, project } = fixture;
    await addContent(admin, project.id, aTextBody(project.id));
    await runJobs();
  });

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
    [{ tags: 'shop & (times' }, 'tags'],
    [{ tags: Array(51).fill('t').join('|') }, 'tags'],
    [{ reranking: 'maybe' }, 'reranking'],
    [{ reranking_multiplier: 0 }, 'reranking_multiplier'],
    [{ similarity_threshold: 1.1 }, 'similarity_threshold'],
    [{ use_hyde: true }, 'use_hyde'],
    [{ use_cache: 'maybe' }, 'use_cache'],
    [{ conversation_summary: 'maybe' }, 'conversation_summary'],
    [{ thinking: { type: 'sometimes' } }, 'thinking'],
    [{ thinking: true }, 'thinking'],
    [{ sparse_encoder: 'splade' }, 'sparse_encoder'],
  ];
  for (const [more, path] of refused) {
    const json = JSON.stringify(more);
    it(`a question with ${json.length > 60 ? `${json.slice(0, 60)}…` : json} is rejected (422)`, async () => {
      const { status, body } = await ask(more);
      expect([status, body.errors?.[0].path]).to.deep.equal([422, path]);
    });
  }

  it('a question accepts options that are switched off, and unknown fields', async () => {
    const off = {
      reranking: false,
      use_hyde: false,
      use_cache: false,
      conversation_summary: false,
      thinking: false,
      similarity_threshold: 1,
      vllmServer: '',
      gptkey: null,
    };
    expect((await ask({ ...off, system_context: null, model: null, tags: null, unknown_option: 1 })).status).to.equal(
      200,
    );
  });
});
