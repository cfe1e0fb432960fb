import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { createEmbedder, type Embedder } from '#shared/embedding/embedder.ts';
import { localEmbedder } from '#shared/embedding/local-embedder.ts';
import { tokenIds } from '#shared/embedding/tokenizer.ts';
import { embeddingUsage } from '#shared/embedding/usage.ts';
import { cosine } from '../support/word-vectors.ts';

const countTokens = (text: string): number => tokenIds(text).length - 2;

describe('Tokenizer of the local embedding model', () => {
  // Token ids from the reference tokenizer of all-MiniLM-L6-v2 (bert-base-uncased).
  const expectedTokenIds: [string, number[]][] = [
    ['hello world', [7592, 2088]],
    ['Hello, World!', [7592, 1010, 2088, 999]],
    ['unaffable', [14477, 20961, 3468]],
    ['Café NAÏVE', [7668, 15743]],
    ['', []],
  ];
  for (const [text, ids] of expectedTokenIds) {
    it(`the tokenizer returns the token ids of the reference implementation for ${JSON.stringify(text)}`, () => {
      expect(tokenIds(text)).to.deep.equal([101, ...ids, 102]);
    });
  }

  it('punctuation marks and Chinese characters are tokens of their own', () => {
    expect(countTokens('中文')).to.equal(2);
    expect(countTokens("don't...")).to.equal(6);
  });

  it('special tokens of the model in a text are treated as plain text', () => {
    expect(tokenIds('[SEP] [CLS]').filter((id) => id === 101 || id === 102)).to.have.length(2);
  });

  it('a word of 10,000 letters is one unknown token', () => {
    expect(countTokens('x'.repeat(10_000))).to.equal(1);
  });
});

describe('Local embedding model', () => {
  let embedder: Embedder;

  before(function () {
    const created = createEmbedder({ ...config, EMBEDDING_MODEL: undefined });
    if (!created) this.skip(); // the model is not installed, or EMBEDDING_MODEL_FILE=off
    embedder = created;
  });
  after(() => embedder?.close());

  const embed = (texts: string[], project = 'p') => embedder.embed(texts, { project });

  it('local vectors have the norm 1, and texts of similar meaning have similar vectors', async () => {
    const [reset, forgot, weather] = await embed([
      'How do I reset my password?',
      'I forgot my login credentials',
      'The weather in Rome is sunny',
    ]);
    expect(reset).to.have.length(384);
    expect(cosine(reset, reset)).to.be.closeTo(1, 1e-5);
    expect(cosine(reset, forgot)).to.be.above(0.5);
    expect(cosine(reset, weather)).to.be.below(0.2);
  });

  it('the local vector of a text does not depend on concurrent calls', async () => {
    const [[alone], many] = [
      await embed(['Same text']),
      await Promise.all(['a', 'b'].map((p) => embed(['Same text'], p))),
    ];
    for (const [vector] of many) expect(vector).to.deep.equal(alone);
  });

  it('the local model reads at most 256 tokens of a text', async () => {
    const before = embeddingUsage();
    await embed(['word '.repeat(1_000)]);
    expect(embeddingUsage().tokens - before.tokens).to.equal(256);
  });

  it('a single page is embedded before the ten waiting pages of another project', async () => {
    const done: string[] = [];
    const page = (project: string, texts: number) =>
      embed(Array(texts).fill('short text'), project).then(() => done.push(project));
    const big = Array.from({ length: 10 }, () => page('big', 20));
    const before = embeddingUsage();
    await page('small', 1);
    expect(embeddingUsage().texts - before.texts).to.be.at.most(3);
    await Promise.all(big);
    expect(done.indexOf('small')).to.equal(0);
  });

  it('the waiting texts of an aborted call are not embedded', async () => {
    const before = embeddingUsage();
    const caller = new AbortController();
    const aborted = embedder.embed(Array(50).fill('short text'), { project: 'p', signal: caller.signal });
    caller.abort(new Error('gone'));
    expect(await aborted.catch((error: Error) => error.message)).to.equal('gone');
    await embed(['another']);
    expect(embeddingUsage().texts - before.texts).to.be.at.most(2);
  });
});

describe('Thread of the local embedding model', () => {
  const script = new URL('../support/crashing-thread.ts', import.meta.url);
  let embedder: Embedder;

  beforeEach(() => {
    embedder = localEmbedder(import.meta.filename, { script });
  });
  afterEach(() => embedder.close());

  const embed = (texts: string[]) => embedder.embed(texts, { project: 'p' });
  const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

  it('when the embedding thread crashes, the current text fails, and a new thread embeds the waiting texts', async () => {
    const ends = await Promise.all([failure(embed(['a'])), failure(embed(['die'])), failure(embed(['b', 'c']))]);
    expect(ends[0]).to.have.length(1);
    expect(ends[1]).to.include({ status: 503, code: 'AI_UNAVAILABLE' });
    expect(ends[2]).to.have.length(2);
  });

  it('an error in the local model affects only the text that caused the error', async () => {
    const ends = await Promise.all([failure(embed(['throw'])), failure(embed(['a']))]);
    expect(ends[0]).to.have.property('message').that.contains('thrown by the test');
    expect(ends[1]).to.have.length(1);
  });

  it('closing the local embedder rejects the current text and the waiting texts', async () => {
    const waiting = [failure(embed(['hang'])), failure(embed(['a']))];
    await embedder.close();
    for (const end of await Promise.all(waiting)) expect(end).to.have.property('code', 'AI_UNAVAILABLE');
  });

  it('the embedding thread ends when it has received no text for a while, and the next text starts a new thread', async () => {
    const unloading = localEmbedder(import.meta.filename, { script, idleMs: 50 });
    const threadOf = async (text: string) => (await unloading.embed([text], { project: 'p' }))[0]?.[1];
    const [first, second] = [await threadOf('a'), await threadOf('b')];
    await sleep(500);
    expect(second).to.equal(first);
    expect(await threadOf('c')).not.to.equal(first);
    await unloading.close();
  });
});
