import { expect } from 'chai';
import { remoteEmbedder } from '#shared/embedding/remote-embedder.ts';
import { embeddingUsage } from '#shared/embedding/usage.ts';
import { aProvider, type ProviderOptions } from '../support/fake-openai.ts';
import { waitUntil } from '../support/wait-until.ts';
import { cosine } from '../support/word-vectors.ts';

const numberedTexts = (count: number, name = 'text') => Array.from({ length: count }, (_, index) => `${name} ${index}`);

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('the promise was not rejected'),
    (error: unknown) => error,
  );

describe('Remote embedding model', () => {
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let embedder: ReturnType<typeof remoteEmbedder>;

  const start = async (options: ProviderOptions = {}, limits = {}) => {
    provider = await aProvider({ dimension: 64, ...options });
    embedder = remoteEmbedder({
      OPENAI_BASE_URL: provider.baseUrl,
      EMBEDDING_MODEL: 'fake',
      EMBEDDING_DIMENSION: 64,
      AI_TIMEOUT_SECONDS: 5,
      AI_MAX_RETRY_WAIT_SECONDS: 0.01,
      ...limits,
    });
  };
  const embed = (texts: string[], project = 'p', signal?: AbortSignal) => embedder.embed(texts, { project, signal });

  afterEach(async () => {
    await waitUntil(() => provider.openCalls() === 0);
    await embedder.close();
    await waitUntil(() => provider.openSockets() === 0);
    await provider.close();
  });

  it('remote vectors have the norm 1, are in the order of the texts, and are similar for similar texts', async () => {
    await start();
    const [hours, reordered, other] = await embed([
      'opening hours of the shop',
      'the shop opening hours',
      'reset my password',
    ]);
    expect(cosine(hours, hours)).to.be.closeTo(1, 1e-6);
    expect(cosine(hours, reordered)).to.be.above(0.8);
    expect(cosine(hours, other)).to.be.below(0.5);
    expect(hours).to.have.length(64);
  });

  it('vectors that arrive as numbers instead of the requested base64 are accepted', async () => {
    await start();
    provider.script({ body: JSON.stringify({ data: [{ index: 0, embedding: [3, 4, ...Array(62).fill(0)] }] }) });
    const [vector] = await embed(['x']);
    expect(Array.from(vector?.subarray(0, 2) ?? [])).to.deep.equal([Math.fround(0.6), Math.fround(0.8)]);
  });

  it('vectors are sorted by the index that the server sends', async () => {
    await start();
    const unitVector = (position: number) => Array.from({ length: 64 }, (_, index) => (index === position ? 1 : 0));
    provider.script({
      body: JSON.stringify({ data: [1, 0].map((index) => ({ index, embedding: unitVector(index) })) }),
    });
    const vectors = await embed(['a', 'b']);
    expect(vectors.map((vector) => vector.indexOf(1))).to.deep.equal([0, 1]);
  });

  it('contents that are embedded concurrently share calls of up to 96 texts', async () => {
    await start();
    const before = embeddingUsage();
    await Promise.all([embed(numberedTexts(50), 'a'), embed(numberedTexts(50), 'b'), embed(numberedTexts(92), 'c')]);
    expect(provider.calls.map(({ body }) => body.input)).to.have.length(2);
    expect(provider.embeddedTexts()).to.have.length(192);
    expect(embeddingUsage()).to.deep.equal({
      calls: before.calls + 2,
      texts: before.texts + 192,
      tokens: before.tokens + 384,
    });
  });

  it('an embedding call contains at most 200,000 characters', async () => {
    await start();
    await embed(numberedTexts(3, 'x'.repeat(99_000)));
    expect(provider.calls.map(({ body }) => body.input?.length)).to.deep.equal([2, 1]);
  });

  it('an empty list of texts causes no embedding call', async () => {
    await start();
    expect(await embed([])).to.deep.equal([]);
    expect(provider.calls).to.have.length(0);
  });

  it('a text that the model rejects does not make the other contents of the same call fail', async () => {
    const bad = 'a text the model refuses';
    await start({ faultOf: ({ body }) => (body.input?.includes(bad) ? { status: 400 } : undefined) });
    const [first, second, third] = await Promise.allSettled([
      embed(numberedTexts(3)),
      embed(['good', bad]),
      embed(['good']),
    ]);
    expect(first).to.have.property('status', 'fulfilled');
    expect(third).to.have.property('status', 'fulfilled');
    expect(second).to.have.nested.property('reason.code', 'AI_REQUEST_REJECTED');
    expect(provider.calls).to.have.length(4);
  });

  it('with a wrong API key, all contents of a call fail without a retry', async () => {
    await start({ faultOf: () => ({ status: 401 }) });
    const ends = await Promise.allSettled([embed(['a']), embed(['b'])]);
    for (const end of ends) expect(end).to.have.nested.property('reason.code', 'AI_REQUEST_REJECTED');
    expect(provider.calls).to.have.length(1);
  });

  it('an embedding call is retried at most twice, with limited delays', async () => {
    await start();
    provider.script({ status: 429, retryAfter: 3600 }, { status: 500 });
    expect(await embed(['a'])).to.have.length(1);
    provider.script({ status: 500 }, { status: 500 }, { status: 429, retryAfter: 3600 });
    expect(await failure(embed(['a']))).to.include({ status: 503, code: 'AI_UNAVAILABLE' });
    expect(provider.calls).to.have.length(6);
  });

  it('an embedding call that hangs is aborted at the deadline', async () => {
    await start({}, { AI_TIMEOUT_SECONDS: 0.1 });
    provider.script({ hang: 'middle' });
    expect(await failure(embed(['a']))).to.include({ status: 504, code: 'AI_TIMEOUT' });
  });

  const unusable: [string, object | null][] = [
    ['vectors of the wrong dimension', { data: [{ index: 0, embedding: [1, 2, 3] }] }],
    ['too few vectors', { data: [] }],
    ['no vectors', { error: null }],
    ['null instead of a vector', { data: [null] }],
    ['a null body', null],
    ['a null vector', { data: [{ index: 0, embedding: null }] }],
    ['null among the numbers of a vector', { data: [{ index: 0, embedding: [...Array(63).fill(1), null] }] }],
    ['vectors that are not numbers', { data: [{ index: 0, embedding: Array(64).fill('NaN') }] }],
  ];
  for (const [name, body] of unusable) {
    it(`an embedding response with ${name} is rejected`, async () => {
      await start();
      provider.script({ body: JSON.stringify(body) });
      expect(await failure(embed(['a']))).to.include({ status: 502, code: 'AI_BAD_ANSWER' });
    });
  }

  it('the error for vectors of the wrong dimension names EMBEDDING_DIMENSION', async () => {
    await start({ dimension: 32 });
    expect(await failure(embed(['a'])))
      .to.have.property('message')
      .that.contains('32')
      .and.contains('EMBEDDING_DIMENSION');
  });

  const base64 = (values: number[]) => Buffer.from(Float32Array.from(values).buffer).toString('base64');
  const invalidVectors: [string, unknown][] = [
    ['null in place of a vector', null],
    ['a vector that contains null', [...Array(63).fill(1), null]],
    ['a vector that contains NaN', base64([...Array(63).fill(1), NaN])],
    ['a vector with too few numbers', base64(Array(63).fill(1))],
  ];
  for (const [name, embedding] of invalidVectors)
    it(`the error for ${name} names the position of the vector`, async () => {
      await start();
      const data = [
        { index: 1, embedding },
        { index: 0, embedding: Array(64).fill(1) },
      ];
      provider.script({ body: JSON.stringify({ data }) });
      expect(await failure(embed(['a', 'b'])))
        .to.have.property('message')
        .that.contains('the vector at position 1 ');
    });

  it('an invalid vector does not make the other contents of the same call fail', async () => {
    const body = JSON.stringify({ data: [{ index: 0, embedding: Array(64).fill(null) }] });
    await start({ faultOf: (call) => (call.body.input?.includes('bad') ? { body } : undefined) });
    const ends = await Promise.allSettled([embed(['good']), embed(['bad'])]);
    expect(ends[0]).to.have.property('status', 'fulfilled');
    expect(ends[1]).to.have.nested.property('reason.code', 'AI_BAD_ANSWER');
    expect(provider.calls).to.have.length(3);
  });

  it('a shared embedding call is aborted when all its callers have aborted their calls', async () => {
    await start({ faultOf: () => ({ hang: 'start' }) });
    const [first, second] = [new AbortController(), new AbortController()];
    const ends = [failure(embed(['a'], 'p', first.signal)), failure(embed(['b'], 'q', second.signal))];
    await waitUntil(() => provider.calls.length === 1);
    first.abort(new Error('gone'));
    expect(await ends[0]).to.have.property('message', 'gone');
    expect(provider.aborted()).to.equal(0);
    second.abort(new Error('gone too'));
    expect(await ends[1]).to.have.property('message', 'gone too');
    await waitUntil(() => provider.aborted() === 1);
  });
});
