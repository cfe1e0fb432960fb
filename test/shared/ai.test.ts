import { expect } from 'chai';
import { type ChatPiece, type ChatSettings, createChat } from '#shared/ai/chat.ts';
import { AppError } from '#shared/errors.ts';
import { aProvider, type Fault, type ProviderOptions } from '../support/fake-openai.ts';
import { waitUntil } from '../support/wait-until.ts';

const QUESTION = { messages: [{ role: 'user' as const, content: 'When do you open?' }], maxTokens: 50, temperature: 0 };

/** The error with which a promise is rejected. */
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('the promise was not rejected'),
    (error: unknown) => error,
  );

const collect = async (pieces: AsyncIterable<ChatPiece>) => {
  const all = await Array.fromAsync(pieces);
  return { text: all.map((piece) => ('text' in piece ? piece.text : '')).join(''), done: all.at(-1) };
};

describe('Chat model client', () => {
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let open: ReturnType<typeof createChat>[] = [];

  const start = async (options: ProviderOptions = {}, limits: Partial<ChatSettings> = {}) => {
    provider = await aProvider(options);
    const chat = createChat({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'secret-key',
      CHAT_MODEL: 'fake',
      AI_TIMEOUT_SECONDS: 5,
      AI_IDLE_TIMEOUT_SECONDS: 0.1,
      AI_MAX_RETRY_WAIT_SECONDS: 0.01,
      ...limits,
    });
    open.push(chat);
    return chat;
  };

  afterEach(async () => {
    await waitUntil(() => provider.openCalls() === 0);
    for (const chat of open) await chat.close();
    open = [];
    await waitUntil(() => provider.openSockets() === 0);
    await provider.close();
  });

  it('an answer contains the token usage that the provider reports', async () => {
    const { chat } = await start();
    expect(await chat(QUESTION)).to.deep.equal({
      text: 'You asked: When do you open?',
      model: 'fake',
      usage: { input_tokens: 4, output_tokens: 6, total_tokens: 10 },
    });
    expect(provider.calls[0]).to.include({ path: '/v1/chat/completions', authorization: 'Bearer secret-key' });
  });

  it('a streamed answer arrives in pieces and ends with the token usage', async () => {
    const { chatStream } = await start();
    const { text, done } = await collect(chatStream(QUESTION));
    expect(text).to.equal('You asked: When do you open?');
    expect(done).to.deep.equal({
      done: { model: 'fake', usage: { input_tokens: 4, output_tokens: 6, total_tokens: 10 } },
    });
  });

  it('gpt-5 and later models are called with temperature 1 and max_completion_tokens', async () => {
    const { chat } = await start();
    for (const model of ['gpt-5', 'gpt-5-mini', 'openai/gpt-6', 'gpt-10']) await chat({ ...QUESTION, model });
    for (const { body } of provider.calls) {
      expect(body).to.include({ temperature: 1, max_completion_tokens: 50 }).and.not.have.property('max_tokens');
    }
    for (const model of ['gpt-4o', 'gpt-3.5-turbo', 'llama-3.1']) await chat({ ...QUESTION, model, topP: 0.5 });
    for (const { body } of provider.calls.slice(4)) {
      expect(body)
        .to.include({ temperature: 0, max_tokens: 50, top_p: 0.5 })
        .and.not.have.property('max_completion_tokens');
    }
  });

  describe('Failures of the provider', () => {
    const passing: [string, Fault][] = [
      ['429', { status: 429 }],
      ['429 with a Retry-After of one hour', { status: 429, retryAfter: 3600 }],
      ['408', { status: 408 }],
      ['409', { status: 409 }],
      ['500', { status: 500 }],
      ['503', { status: 503, retryAfter: 0 }],
      ['a truncated answer', { cutAfter: 0.5 }],
      ['a lost connection', { cutAfter: 0 }],
      ['an answer that is not JSON', { body: '<html>' }],
    ];
    for (const [name, fault] of passing) {
      it(`a call is retried at most twice after ${name}`, async () => {
        const { chat } = await start();
        provider.script(fault, fault);
        expect(await chat(QUESTION)).to.have.property('text', 'You asked: When do you open?');
        expect(provider.calls).to.have.length(3);

        provider.script(fault, fault, fault);
        expect(await failure(chat(QUESTION))).to.be.instanceOf(AppError);
        expect(provider.calls).to.have.length(6);
      });
    }

    const final: [string, Fault, string][] = [
      ['a wrong key', { status: 401 }, 'AI_REQUEST_REJECTED'],
      ['a bad request', { status: 400 }, 'AI_REQUEST_REJECTED'],
      ['an unknown model', { status: 404 }, 'AI_REQUEST_REJECTED'],
      ['an exhausted quota', { status: 429, body: '{"error":{"code":"insufficient_quota"}}' }, 'AI_REQUEST_REJECTED'],
      ['an answer without text', { body: '{"choices":[]}' }, 'AI_BAD_ANSWER'],
      ['an empty answer', { body: 'null' }, 'AI_BAD_ANSWER'],
    ];
    for (const [name, fault, code] of final) {
      it(`a call is not retried after ${name}, and fails with ${code}`, async () => {
        const { chat } = await start();
        provider.script(fault);
        expect(await failure(chat(QUESTION))).to.include({ status: 502, code });
        expect(provider.calls).to.have.length(1);
      });
    }

    it('the error from a rejected call does not contain the API key', async () => {
      const { chat } = await start();
      provider.script({ status: 401, body: '{"error":{"message":"Incorrect API key provided: secret-key"}}' });
      expect(await failure(chat(QUESTION)))
        .to.have.property('message')
        .that.does.not.contain('secret-key');
    });

    it('a call that hangs is aborted at the deadline', async () => {
      const { chat } = await start({}, { AI_TIMEOUT_SECONDS: 0.1 });
      provider.script({ hang: 'start' });
      expect(await failure(chat(QUESTION))).to.include({ status: 504, code: 'AI_TIMEOUT' });
      await waitUntil(() => provider.aborted() === 1);
    });

    it('the delay before a retry ends at the deadline of the call', async () => {
      const { chat } = await start({}, { AI_TIMEOUT_SECONDS: 0.1, AI_MAX_RETRY_WAIT_SECONDS: 3600 });
      provider.script({ status: 429, retryAfter: 3600 });
      expect(await failure(chat(QUESTION))).to.have.property('code', 'AI_TIMEOUT');
      expect(provider.calls).to.have.length(1);
    });

    it('a call whose connection is refused fails with AI_UNAVAILABLE', async () => {
      const { chat } = await start({}, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
      expect(await failure(chat(QUESTION))).to.include({ status: 503, code: 'AI_UNAVAILABLE' });
    });

    const broken: [string, Fault, string][] = [
      ['hangs', { hang: 'middle' }, 'AI_TIMEOUT'],
      ['arrives too slowly, one byte at a time,', { slowBytes: 20 }, 'AI_TIMEOUT'],
      ['loses its connection', { cutAfter: 0.5 }, 'AI_UNAVAILABLE'],
      [
        'ends without a finish reason',
        { body: 'data: {"choices":[{"index":0,"delta":{"content":"Half "}}]}\n\n' },
        'AI_UNAVAILABLE',
      ],
      ['contains an error', { body: 'data: {"error":{"message":"overloaded"}}\n\n' }, 'AI_UNAVAILABLE'],
      ['is not JSON', { body: 'data: {half\n\n' }, 'AI_BAD_ANSWER'],
    ];
    for (const [name, fault, code] of broken) {
      it(`a stream that ${name} fails with ${code} and is not retried`, async () => {
        const { chatStream } = await start();
        provider.script(fault);
        expect(await failure(collect(chatStream(QUESTION)))).to.have.property('code', code);
        expect(provider.calls).to.have.length(1);
      });
    }

    it('a stream that is refused before it begins is retried', async () => {
      const { chatStream } = await start();
      provider.script({ status: 500 }, { status: 429 });
      expect(await collect(chatStream(QUESTION))).to.have.property('text', 'You asked: When do you open?');
      expect(provider.calls).to.have.length(3);
    });
  });

  describe('Disconnected clients', () => {
    it('the call to the provider is aborted when the client disconnects', async () => {
      const { chat } = await start();
      const client = new AbortController();
      provider.script({ hang: 'start' });
      const answer = failure(chat({ ...QUESTION, signal: client.signal }));
      await waitUntil(() => provider.calls.length === 1);
      client.abort(new Error('gone'));
      expect(await answer).to.have.property('message', 'gone');
      await waitUntil(() => provider.aborted() === 1);
    });

    it('a stream is aborted when the client disconnects midway', async () => {
      const { chatStream } = await start({}, { AI_IDLE_TIMEOUT_SECONDS: 5 });
      const client = new AbortController();
      provider.script({ hang: 'middle' });
      const answer = failure(collect(chatStream({ ...QUESTION, signal: client.signal })));
      await waitUntil(() => provider.calls.length === 1);
      client.abort(new Error('gone'));
      expect(await answer).to.have.property('message', 'gone');
      await waitUntil(() => provider.aborted() === 1);
    });

    it('a stream is aborted when its reader stops iterating', async () => {
      const { chatStream } = await start({}, { AI_IDLE_TIMEOUT_SECONDS: 5 });
      provider.script({ hang: 'middle' });
      for await (const piece of chatStream(QUESTION)) {
        expect(piece).to.deep.equal({ text: 'You ' });
        break;
      }
      await waitUntil(() => provider.aborted() === 1);
    });

    it('no further call is made when the client disconnects during the delay before a retry', async () => {
      const { chat } = await start({}, { AI_MAX_RETRY_WAIT_SECONDS: 3600 });
      const client = new AbortController();
      provider.script({ status: 429, retryAfter: 3600 });
      const answer = failure(chat({ ...QUESTION, signal: client.signal }));
      await waitUntil(() => provider.calls.length === 1);
      client.abort(new Error('gone'));
      expect(await answer).to.have.property('message', 'gone');
      expect(provider.calls).to.have.length(1);
    });

    it('no call is made for a client that has already disconnected', async () => {
      const { chat } = await start();
      const signal = AbortSignal.abort(new Error('gone'));
      expect(await failure(chat({ ...QUESTION, signal }))).to.have.property('message', 'gone');
      expect(provider.calls).to.have.length(0);
    });
  });
});
