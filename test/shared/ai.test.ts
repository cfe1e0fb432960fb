import { expect } from 'chai';
import { type ChatPiece, type ChatSettings, makeChat } from '#shared/ai/chat.ts';
import { AppError } from '#shared/errors.ts';
import { aProvider, type Fault, type ProviderOptions } from '../support/fake-openai.ts';
import { until } from '../support/until.ts';

const QUESTION = { messages: [{ role: 'user' as const, content: 'When do you open?' }], maxTokens: 50, temperature: 0 };

/** What a promise was rejected with. */
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );

const collect = async (pieces: AsyncIterable<ChatPiece>) => {
  const all = await Array.fromAsync(pieces);
  return { text: all.map((piece) => ('text' in piece ? piece.text : '')).join(''), done: all.at(-1) };
};

describe('The chat model of a provider', () => {
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let open: ReturnType<typeof makeChat>[] = [];

  const start = async (options: ProviderOptions = {}, limits: Partial<ChatSettings> = {}) => {
    provider = await aProvider(options);
    const chat = makeChat({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'secret-key',
      CHAT_MODEL: 'fake',
      AI_TIMEOUT: 5,
      AI_IDLE_TIMEOUT: 0.1,
      AI_MAX_RETRY_WAIT: 0.01,
      ...limits,
    });
    open.push(chat);
    return chat;
  };

  afterEach(async () => {
    await until(() => provider.openCalls() === 0);
    for (const chat of open) await chat.close();
    open = [];
    await until(() => provider.openSockets() === 0);
    await provider.close();
  });

  it('answers with the tokens the provider counted', async () => {
    const { chat } = await start();
    expect(await chat(QUESTION)).to.deep.equal({
      text: 'You asked: When do you open?',
      model: 'fake',
      usage: { input_tokens: 4, output_tokens: 6, total_tokens: 10 },
    });
    expect(provider.calls[0]).to.include({ path: '/v1/chat/completions', authorization: 'Bearer secret-key' });
  });

  it('streams the same answer in pieces and ends with the tokens', async () => {
    const { chatStream } = await start();
    const { text, done } = await collect(chatStream(QUESTION));
    expect(text).to.equal('You asked: When do you open?');
    expect(done).to.deep.equal({
      done: { model: 'fake', usage: { input_tokens: 4, output_tokens: 6, total_tokens: 10 } },
    });
  });

  it('asks gpt-5 and later models with temperature 1 and their own name of the bound', async () => {
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

  describe('F9: a provider that fails', () => {
    const passing: [string, Fault][] = [
      ['429', { status: 429 }],
      ['429 with an hour of Retry-After', { status: 429, retryAfter: 3600 }],
      ['408', { status: 408 }],
      ['409', { status: 409 }],
      ['500', { status: 500 }],
      ['503', { status: 503, retryAfter: 0 }],
      ['an answer that breaks off', { cutAfter: 0.5 }],
      ['a connection that breaks', { cutAfter: 0 }],
      ['an answer that is not JSON', { body: '<html>' }],
    ];
    for (const [name, fault] of passing) {
      it(`${name}: is asked again, and a third time, not more`, async () => {
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
      ['a wrong key', { status: 401 }, 'AI_REFUSED'],
      ['a bad request', { status: 400 }, 'AI_REFUSED'],
      ['an unknown model', { status: 404 }, 'AI_REFUSED'],
      ['an empty account', { status: 429, body: '{"error":{"code":"insufficient_quota"}}' }, 'AI_REFUSED'],
      ['an answer without a text', { body: '{"choices":[]}' }, 'AI_BAD_ANSWER'],
      ['an empty answer', { body: 'null' }, 'AI_BAD_ANSWER'],
    ];
    for (const [name, fault, code] of final) {
      it(`${name}: is final and says so`, async () => {
        const { chat } = await start();
        provider.script(fault);
        expect(await failure(chat(QUESTION))).to.include({ status: 502, code });
        expect(provider.calls).to.have.length(1);
      });
    }

    it('never repeats our key in an error', async () => {
      const { chat } = await start();
      provider.script({ status: 401, body: '{"error":{"message":"Incorrect API key provided: secret-key"}}' });
      expect(await failure(chat(QUESTION)))
        .to.have.property('message')
        .that.does.not.contain('secret-key');
    });

    it('ends a call that hangs at the deadline', async () => {
      const { chat } = await start({}, { AI_TIMEOUT: 0.1 });
      provider.script({ hang: 'start' });
      expect(await failure(chat(QUESTION))).to.include({ status: 504, code: 'AI_TIMEOUT' });
      await until(() => provider.aborted() === 1);
    });

    it('ends at the deadline while it waits for a retry', async () => {
      const { chat } = await start({}, { AI_TIMEOUT: 0.1, AI_MAX_RETRY_WAIT: 3600 });
      provider.script({ status: 429, retryAfter: 3600 });
      expect(await failure(chat(QUESTION))).to.have.property('code', 'AI_TIMEOUT');
      expect(provider.calls).to.have.length(1);
    });

    it('says that nobody listens at the address', async () => {
      const { chat } = await start({}, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
      expect(await failure(chat(QUESTION))).to.include({ status: 503, code: 'AI_UNAVAILABLE' });
    });

    const broken: [string, Fault, string][] = [
      ['that hangs', { hang: 'middle' }, 'AI_TIMEOUT'],
      ['that comes a byte at a time', { slowBytes: 20 }, 'AI_TIMEOUT'],
      ['whose connection breaks', { cutAfter: 0.5 }, 'AI_UNAVAILABLE'],
      [
        'that ends without an end',
        { body: 'data: {"choices":[{"index":0,"delta":{"content":"Half "}}]}\n\n' },
        'AI_UNAVAILABLE',
      ],
      ['that carries an error', { body: 'data: {"error":{"message":"overloaded"}}\n\n' }, 'AI_UNAVAILABLE'],
      ['that is not JSON', { body: 'data: {half\n\n' }, 'AI_BAD_ANSWER'],
    ];
    for (const [name, fault, code] of broken) {
      it(`cuts a stream ${name}, and asks no second time`, async () => {
        const { chatStream } = await start();
        provider.script(fault);
        expect(await failure(collect(chatStream(QUESTION)))).to.have.property('code', code);
        expect(provider.calls).to.have.length(1);
      });
    }

    it('asks again for a stream that was refused before it began', async () => {
      const { chatStream } = await start();
      provider.script({ status: 500 }, { status: 429 });
      expect(await collect(chatStream(QUESTION))).to.have.property('text', 'You asked: When do you open?');
      expect(provider.calls).to.have.length(3);
    });
  });

  describe('when the client leaves', () => {
    it('ends the call at the provider', async () => {
      const { chat } = await start();
      const client = new AbortController();
      provider.script({ hang: 'start' });
      const answer = failure(chat({ ...QUESTION, signal: client.signal }));
      await until(() => provider.calls.length === 1);
      client.abort(new Error('gone'));
      expect(await answer).to.have.property('message', 'gone');
      await until(() => provider.aborted() === 1);
    });

    it('ends a stream in its middle', async () => {
      const { chatStream } = await start({}, { AI_IDLE_TIMEOUT: 5 });
      const client = new AbortController();
      provider.script({ hang: 'middle' });
      const answer = failure(collect(chatStream({ ...QUESTION, signal: client.signal })));
      await until(() => provider.calls.length === 1);
      client.abort(new Error('gone'));
      expect(await answer).to.have.property('message', 'gone');
      await until(() => provider.aborted() === 1);
    });

    it('ends a stream whose reader stops reading', async () => {
      const { chatStream } = await start({}, { AI_IDLE_TIMEOUT: 5 });
      provider.script({ hang: 'middle' });
      for await (const piece of chatStream(QUESTION)) {
        expect(piece).to.deep.equal({ text: 'You ' });
        break;
      }
      await until(() => provider.aborted() === 1);
    });

    it('stops waiting for a retry at once and asks no more', async () => {
      const { chat } = await start({}, { AI_MAX_RETRY_WAIT: 3600 });
      const client = new AbortController();
      provider.script({ status: 429, retryAfter: 3600 });
      const answer = failure(chat({ ...QUESTION, signal: client.signal }));
      await until(() => provider.calls.length === 1);
      client.abort(new Error('gone'));
      expect(await answer).to.have.property('message', 'gone');
      expect(provider.calls).to.have.length(1);
    });

    it('makes no call for a client that left before', async () => {
      const { chat } = await start();
      const signal = AbortSignal.abort(new Error('gone'));
      expect(await failure(chat({ ...QUESTION, signal }))).to.have.property('message', 'gone');
      expect(provider.calls).to.have.length(0);
    });
  });
});
