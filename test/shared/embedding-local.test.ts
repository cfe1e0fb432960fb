import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { type Embedder, makeEmbedder } from '#shared/embedding/embedder.ts';
import { localEmbedder } from '#shared/embedding/local.ts';
import { countTokens, tokenIds } from '#shared/embedding/tokenizer.ts';
import { usage } from '#shared/embedding/usage.ts';
import { cosine } from '../support/word-vector.ts';

describe('The tokenizer of the local model', () => {
  // Ids of the reference tokenizer of all-MiniLM-L6-v2 (bert-base-uncased).
  const known: [string, number[]][] = [
    ['hello world', [7592, 2088]],
    ['Hello, World!', [7592, 1010, 2088, 999]],
    ['unaffable', [14477, 20961, 3468]],
    ['Café NAÏVE', [7668, 15743]],
    ['', []],
  ];
  for (const [text, ids] of known) {
    it(`reads ${JSON.stringify(text)} as the model does`, () => {
      expect(tokenIds(text)).to.deep.equal([101, ...ids, 102]);
    });
  }

  it('splits punctuation and Chinese signs one by one', () => {
    expect(countTokens('中文')).to.equal(2);
    expect(countTokens("don't...")).to.equal(6);
  });

  it('takes marks of the model written in a text for plain text', () => {
    expect(tokenIds('[SEP] [CLS]').filter((id) => id === 101 || id === 102)).to.have.length(2);
  });

  it('counts a word without end as one unknown', () => {
    expect(countTokens('x'.repeat(10_000))).to.equal(1);
  });
});

describe('The local embedding model', () => {
  let embedder: Embedder;

  before(function () {
    const made = makeEmbedder({ ...config, EMBEDDING_MODEL: undefined });
    if (!made) this.skip(); // not run: no model here, or EMBEDDING_MODEL_FILE=off
    embedder = made;
  });
  after(() => embedder?.close());

  const embed = (texts: string[], project = 'p') => embedder.embed(texts, { project });

  it('gives vectors of length 1, nearer for texts of like meaning', async () => {
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

  it('gives the same vector every time, whatever runs beside it', async () => {
    const [[alone], many] = [
      await embed(['Same text']),
      await Promise.all(['a', 'b'].map((p) => embed(['Same text'], p))),
    ];
    for (const [vector] of many) expect(vector).to.deep.equal(alone);
  });

  it('reads 256 tokens of a text and no more', async () => {
    const before = usage();
    await embed(['word '.repeat(1_000)]);
    expect(usage().tokens - before.tokens).to.equal(256);
  });

  it('puts ten pages of a neighbour behind a single page after one text of theirs', async () => {
    const done: string[] = [];
    const page = (project: string, texts: number) =>
      embed(Array(texts).fill('short text'), project).then(() => done.push(project));
    const big = Array.from({ length: 10 }, () => page('big', 20));
    const before = usage();
    await page('small', 1);
    expect(usage().texts - before.texts).to.be.at.most(3);
    await Promise.all(big);
    expect(done.indexOf('small')).to.equal(0);
  });

  it('drops the waiting texts of a caller who leaves', async () => {
    const before = usage();
    const caller = new AbortController();
    const left = embedder.embed(Array(50).fill('short text'), { project: 'p', signal: caller.signal });
    caller.abort(new Error('gone'));
    expect(await left.catch((error: Error) => error.message)).to.equal('gone');
    await embed(['another']);
    expect(usage().texts - before.texts).to.be.at.most(2);
  });
});

describe('The thread of the local model', () => {
  const script = new URL('../support/mortal-thread.ts', import.meta.url);
  let embedder: Embedder;

  beforeEach(() => {
    embedder = localEmbedder(import.meta.filename, script);
  });
  afterEach(() => embedder.close());

  const embed = (texts: string[]) => embedder.embed(texts, { project: 'p' });
  const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

  it('F9: fails the running text when it dies, and is started again for those that wait', async () => {
    const ends = await Promise.all([failure(embed(['a'])), failure(embed(['die'])), failure(embed(['b', 'c']))]);
    expect(ends[0]).to.have.length(1);
    expect(ends[1]).to.include({ status: 503, code: 'AI_UNAVAILABLE' });
    expect(ends[2]).to.have.length(2);
  });

  it('fails one text alone when the model throws', async () => {
    const ends = await Promise.all([failure(embed(['throw'])), failure(embed(['a']))]);
    expect(ends[0]).to.have.property('message').that.contains('thrown by the test');
    expect(ends[1]).to.have.length(1);
  });

  it('rejects what runs and waits when it is closed', async () => {
    const waiting = [failure(embed(['hang'])), failure(embed(['a']))];
    await embedder.close();
    for (const end of await Promise.all(waiting)) expect(end).to.have.property('code', 'AI_UNAVAILABLE');
  });
});
