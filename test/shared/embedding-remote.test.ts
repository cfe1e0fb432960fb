import { expect } from 'chai';
import { remoteEmbedder } from '#shared/embedding/remote.ts';
import { usage } from '#shared/embedding/usage.ts';
import { aProvider, type ProviderOptions } from '../support/fake-openai.ts';
import { until } from '../support/until.ts';
import { cosine } from '../support/word-vector.ts';

const numbered = (count: number, name = 'text') => Array.from({ length: count }, (_, index) => `${name} ${index}`);

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );

describe("The provider's embedding model", () => {
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let embedder: ReturnType<typeof remoteEmbedder>;

  const start = async (options: ProviderOptions = {}, limits = {}) => {
    provider = await aProvider({ dimension: 64, ...options });
    embedder = remoteEmbedder({
      OPENAI_BASE_URL: provider.baseUrl,
      EMBEDDING_MODEL: 'fake',
      EMBEDDING_DIMENSION: 64,
      AI_TIMEOUT: 5,
      AI_MAX_RETRY_WAIT: 0.01,
      ...limits,
    });
  };
  const embed = (texts: string[], project = 'p', signal?: AbortSignal) => embedder.embed(texts, { project, signal });

  afterEach(async () => {
    await until(() => provider.openCalls() === 0);
    await embedder.close();
    await until(() => provider.openSockets() === 0);
    await provider.close();
  });

  it('gives vectors of length 1, near for near texts, in the order of the texts', async () => {
    await start();
    const [hours, asked, other] = await embed([
      'opening hours of the shop',
      'the shop opening hours',
      'reset my password',
    ]);
    expect(cosine(hours, hours)).to.be.closeTo(1, 1e-6);
    expect(cosine(hours, asked)).to.be.above(0.8);
    expect(cosine(hours, other)).to.be.below(0.5);
    expect(hours).to.have.length(64);
  });

  it('understands servers that send numbers where base64 was asked for', async () => {
    await start();
    provider.script({ body: JSON.stringify({ data: [{ index: 0, embedding: [3, 4, ...Array(62).fill(0)] }] }) });
    const [vector] = await embed(['x']);
    expect(Array.from(vector?.subarray(0, 2) ?? [])).to.deep.equal([Math.fround(0.6), Math.fround(0.8)]);
  });

  it('puts vectors back in order when the server mixes them', async () => {
    await start();
    const one = (place: number) => Array.from({ length: 64 }, (_, at) => (at === place ? 1 : 0));
    provider.script({ body: JSON.stringify({ data: [1, 0].map((index) => ({ index, embedding: one(index) })) }) });
    const vectors = await embed(['a', 'b']);
    expect(vectors.map((vector) => vector.indexOf(1))).to.deep.equal([0, 1]);
  });

  it('shares calls between contents of the same moment, 96 texts in each', async () => {
    await start();
    const before = usage();
    await Promise.all([embed(numbered(50), 'a'), embed(numbered(50), 'b'), embed(numbered(92), 'c')]);
    expect(provider.calls.map(({ body }) => body.input)).to.have.length(2);
    expect(provider.embeddedTexts()).to.have.length(192);
    expect(usage()).to.deep.equal({ calls: before.calls + 2, texts: before.texts + 192, tokens: before.tokens + 384 });
  });

  it('keeps a call under 200,000 characters', async () => {
    await start();
    await embed(numbered(3, 'x'.repeat(99_000)));
    expect(provider.calls.map(({ body }) => body.input?.length)).to.deep.equal([2, 1]);
  });

  it('asks nothing for no texts', async () => {
    await start();
    expect(await embed([])).to.deep.equal([]);
    expect(provider.calls).to.have.length(0);
  });

  it('does not let one bad text fail the contents that shared its call', async () => {
    const bad = 'a text the model refuses';
    await start({ faultOf: ({ body }) => (body.input?.includes(bad) ? { status: 400 } : undefined) });
    const [first, second, third] = await Promise.allSettled([
      embed(numbered(3)),
      embed(['good', bad]),
      embed(['good']),
    ]);
    expect(first).to.have.property('status', 'fulfilled');
    expect(third).to.have.property('status', 'fulfilled');
    expect(second).to.have.nested.property('reason.code', 'AI_REFUSED');
    expect(provider.calls).to.have.length(4);
  });

  it('fails all of them at once where the key is wrong', async () => {
    await start({ faultOf: () => ({ status: 401 }) });
    const ends = await Promise.allSettled([embed(['a']), embed(['b'])]);
    for (const end of ends) expect(end).to.have.nested.property('reason.code', 'AI_REFUSED');
    expect(provider.calls).to.have.length(1);
  });

  it('F9: asks three times at most, waits no longer than the cap', async () => {
    await start();
    provider.script({ status: 429, retryAfter: 3600 }, { status: 500 });
    expect(await embed(['a'])).to.have.length(1);
    provider.script({ status: 500 }, { status: 500 }, { status: 429, retryAfter: 3600 });
    expect(await failure(embed(['a']))).to.include({ status: 503, code: 'AI_UNAVAILABLE' });
    expect(provider.calls).to.have.length(6);
  });

  it('F9: ends a call that hangs at the deadline', async () => {
    await start({}, { AI_TIMEOUT: 0.1 });
    provider.script({ hang: 'middle' });
    expect(await failure(embed(['a']))).to.include({ status: 504, code: 'AI_TIMEOUT' });
  });

  const unusable: [string, object | null][] = [
    ['vectors of another dimension', { data: [{ index: 0, embedding: [1, 2, 3] }] }],
    ['too few vectors', { data: [] }],
    ['no vectors', { error: null }],
    ['nothing', null],
    ['vectors that are not numbers', { data: [{ index: 0, embedding: Array(64).fill('NaN') }] }],
  ];
  for (const [name, body] of unusable) {
    it(`refuses ${name}`, async () => {
      await start();
      provider.script({ body: JSON.stringify(body) });
      expect(await failure(embed(['a']))).to.include({ status: 502, code: 'AI_BAD_ANSWER' });
    });
  }

  it('names the setting to change when the dimension differs', async () => {
    await start({ dimension: 32 });
    expect(await failure(embed(['a'])))
      .to.have.property('message')
      .that.contains('32')
      .and.contains('EMBEDDING_DIMENSION');
  });

  it('ends the call when all who wait for it have left', async () => {
    await start({ faultOf: () => ({ hang: 'start' }) });
    const [first, second] = [new AbortController(), new AbortController()];
    const ends = [failure(embed(['a'], 'p', first.signal)), failure(embed(['b'], 'q', second.signal))];
    await until(() => provider.calls.length === 1);
    first.abort(new Error('gone'));
    expect(await ends[0]).to.have.property('message', 'gone');
    expect(provider.aborted()).to.equal(0);
    second.abort(new Error('gone too'));
    expect(await ends[1]).to.have.property('message', 'gone too');
    await until(() => provider.aborted() === 1);
  });
});
