/** Answers of a chat model: FAQs that replace them, follow-up questions, verified quotations, and counted tokens. */
import { once } from 'node:events';
import { request } from 'node:http';
import { expect } from 'chai';
import { api, call, type Reply } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { changeProject } from '../support/change-project.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { aProvider, type Fault } from '../support/fake-openai.ts';
import { parseSseEvents } from '../support/parse-sse.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';

const QUESTION = 'When does the shop open?';
const VOUCHERS = { question: 'How long are vouchers valid?', answer: 'Vouchers are valid for three years.' };
const ANSWER =
  'It says "opens at nine in the morning" [1] and "closes at midnight" [1]. See also [9].\n\n> The shop opens at nine';
const SUNDAY_QUESTION = 'When does the shop open on Sundays?';
const FACTOR = 2.5;

describe('Answers of a chat model', () => {
  const faults: Fault[] = [];
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let server: Awaited<ReturnType<typeof anApiProcess>>;
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let projectId: string;

  const chatCalls = () => provider.calls.map(({ body }) => (body.messages ?? []).map(({ content }) => content));
  const headers = () => ({ authorization: fixture.admin.authorization });
  const ask = (more: object = {}): Promise<Reply> =>
    call('POST', `${server.url}/v3/${projectId}/kb/qa`, {
      body: { namespace: projectId, question: QUESTION, ...more },
      headers: headers(),
    });
  const answeredQuestions = async () =>
    (await api(fixture.admin).get(`/v3/${projectId}/kb/answered/${projectId}`)).body.questions;

  before(async () => {
    provider = await aProvider({
      answer: (messages) => {
        const last = messages.at(-1)?.content ?? '';
        if (last.startsWith('Rewrite the last question')) return `${SUNDAY_QUESTION}\n`;
        if (messages[0]?.content.startsWith('Write a short passage')) return 'The parcel is late.';
        return ANSWER;
      },
      faultOf: () => faults.shift(),
    });
    server = await anApiProcess({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'key',
      CHAT_MODEL: 'fake-chat',
      AI_MODELS: `other:2; fake-chat:${FACTOR}`,
      EMBEDDING_MODEL_FILE: 'off',
    });
    fixture = await aProject();
    projectId = fixture.project.id;
    const contents = [
      { name: 'Hours', source: 'hours', content: 'The shop opens at nine in the morning.' },
      { name: 'Sundays', source: 'sundays', content: 'On Sundays the shop opens at noon.' },
      { name: 'Parcels', source: 'parcels', content: 'A parcel that is late can be traced.' },
      { type: 'faq', name: 'Vouchers', source: 'vouchers', content: `${VOUCHERS.question}\n${VOUCHERS.answer}` },
    ];
    for (const content of contents) await addContent(fixture.admin, projectId, aTextBody(projectId, content));
    await runJobs();
  });
  after(async () => {
    await server.stop();
    await provider.close();
  });

  it('quotations are returned with their positions, invented ones are flagged, and unknown citation numbers are listed', async () => {
    const { answer, quotations, unknown_citations, citations } = (await ask({ citations: true })).body;
    const texts = quotations.map(({ text, verified }: { text: string; verified: boolean }) => [text, verified]);
    expect(texts).to.deep.equal([
      ['opens at nine in the morning', true],
      ['closes at midnight', false],
      ['> The shop opens at nine', true],
    ]);
    const [{ answer_start, answer_end, chunk_start, chunk_end, chunk_id, source_id }] = quotations;
    expect(answer.slice(answer_start, answer_end)).to.equal('opens at nine in the morning');
    const { chunks, chunk_ids } = (await ask({ chunks_only: true })).body;
    const chunk: string = chunks[chunk_ids.indexOf(chunk_id)];
    expect(chunk.slice(chunk_start, chunk_end)).to.equal('opens at nine in the morning');
    expect(unknown_citations).to.deep.equal([9]);
    expect(citations.map((citation: { source_id: number }) => citation.source_id)).to.include(source_id);
  });

  it('the question of a FAQ is answered without a call to the model, with or without streaming', async () => {
    const before = chatCalls().length;
    const { body } = await ask({ question: VOUCHERS.question.toUpperCase(), top_k: 1 });
    expect(body).to.deep.include({ success: true, model: 'faq', answer: VOUCHERS.answer, prompt_token_size: 0 });
    expect(body.citations).to.deep.equal([{ source_id: 1, source_name: 'Vouchers', source: 'vouchers' }]);
    const events = parseSseEvents((await ask({ question: VOUCHERS.question, stream: true })).text);
    expect(events[0]).to.deep.equal({ content: VOUCHERS.answer });
    expect(chatCalls().length).to.equal(before);
    expect((await answeredQuestions())[0]).to.include({
      question: VOUCHERS.question,
      answer: VOUCHERS.answer,
      tokens: 0,
    });
  });

  it('a follow-up question is completed from the chat history before the search', async () => {
    const chat_history_dict = { 0: { question: QUESTION, answer: 'At nine.' } };
    const before = chatCalls().length;
    const { body } = await ask({ question: 'And on Sundays?', chat_history_dict, top_k: 1, citations: true });
    const [completion, answer, ...others] = chatCalls().slice(before);
    expect(others).to.deep.equal([]);
    expect(completion?.slice(0, 2)).to.deep.equal([QUESTION, 'At nine.']);
    expect(completion?.[2]).to.match(/And on Sundays\?$/);
    expect(answer?.[0]).to.include('On Sundays the shop opens at noon.');
    expect(answer?.slice(1)).to.deep.equal([QUESTION, 'At nine.', 'And on Sundays?']);
    expect(body.sources).to.deep.equal(['sundays']);
    await ask({ question: 'And on Sundays?', chat_history_dict, contextualize_prompt: false });
    expect(chatCalls().length).to.equal(before + 3);
  });

  it('with use_hyde, the search includes a passage that the model writes', async () => {
    const search = { question: 'Nothing came', chunks_only: true };
    expect((await ask(search)).body.chunks).to.deep.equal([]);
    expect((await ask({ ...search, use_hyde: true })).body.chunks).to.deep.equal([
      'A parcel that is late can be traced.',
    ]);
  });

  it('the tokens of an answer are reported and logged after multiplication by the factor of the model in AI_MODELS', async () => {
    const { prompt_token_size, legacy_prompt_token_size } = (await ask({ request_id: 'support-1' })).body;
    expect(legacy_prompt_token_size).to.be.greaterThan(20);
    expect(prompt_token_size).to.equal(Math.ceil(FACTOR * legacy_prompt_token_size));
    expect((await answeredQuestions())[0]).to.include({ request_id: 'support-1', tokens: prompt_token_size });
  });

  it('when a client disconnects between two pieces of an answer, the call to the model ends, and the question is not logged', async () => {
    const before = (await answeredQuestions()).length;
    faults.push({ slowBytes: 2 });
    const clientRequest = request(`${server.url}/v3/${projectId}/kb/qa`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
    });
    clientRequest.on('error', () => undefined);
    clientRequest.end(JSON.stringify({ namespace: projectId, question: QUESTION, stream: true }));
    const [response] = await once(clientRequest, 'response');
    await once(response, 'data');
    expect(provider.openCalls()).to.equal(1);
    clientRequest.destroy();
    await waitUntil(() => provider.openCalls() === 0);
    expect((await answeredQuestions()).length).to.equal(before);
  });

  it("answers use the project's own API key if it has one, and otherwise the tokens of its plan", async () => {
    const used = async (): Promise<number> =>
      (await api(fixture.admin).post(`/v3/${projectId}/quotes`, {})).body.quotes.tokens.quote;
    const own = { name: 'openai', value: { apikey: 'key-of-the-project' } };
    const integrations = `${server.url}/v3/${projectId}/integration`;
    const { _id } = (await call('POST', integrations, { body: own, headers: headers() })).body;
    const before = await used();
    expect((await ask()).body.success).to.equal(true);
    expect(provider.calls.at(-1)?.authorization).to.equal('Bearer key-of-the-project');
    expect(await used())
      .to.equal(before)
      .and.greaterThan(0);
    await call('DELETE', `${integrations}/${_id}`, { headers: headers() });
    await changeProject(projectId, { $set: { 'profile.quotes': { tokens: before + 1 } } });
    expect((await ask()).body.success).to.equal(true);
    expect(provider.calls.at(-1)?.authorization).to.equal('Bearer key');
    expect((await ask()).body).to.include({ message: 'Tokens quota exceeded', error_code: 13_001 });
    await changeProject(projectId, { $unset: { 'profile.quotes': 1 } });
  });

  it('use_hyde without a chat model is rejected (422) with an error that names the setting CHAT_MODEL', async () => {
    const { status, body } = await api(fixture.admin).post(`/v3/${projectId}/kb/qa`, {
      ...{ namespace: projectId, question: QUESTION, use_hyde: true },
    });
    expect([status, body.errors[0].path]).to.deep.equal([422, 'use_hyde']);
    expect(body.error).to.include('CHAT_MODEL');
  });
});
