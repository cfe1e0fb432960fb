/** A22 is an attack described in docs/attacks.md. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createFetcher, FetchError, type FetchOptions, type FetchResponse } from '#shared/fetch/guarded-fetch.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aHostileSite } from '../support/hostile-site.ts';

const fetch = createFetcher({ allow: ['127.0.0.1'], servicePorts: [] });
const MAX_BYTES = 200_000;
const DEADLINE_MS = 250;

const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => expect.fail('the fetch did not fail'),
    (failure: unknown) => failure,
  );
  if (!(error instanceof FetchError)) throw error;
  return error;
};

const textOf = ({ body }: FetchResponse) => new TextDecoder().decode(body);

/** For each hostile page: the code of the expected failure, whether it is transient, and additional fetch options. */
const outcomes: [path: string, code: string, transient: boolean, options?: FetchOptions][] = [
  ['/silent', 'TIMEOUT', true],
  ['/slow-headers', 'TIMEOUT', true],
  ['/slow-body', 'TIMEOUT', true],
  ['/endless-body', 'TOO_LARGE', false],
  ['/endless-crumbs', 'BODY_TOO_FRAGMENTED', false],
  ['/endless-headers', 'CONNECTION_FAILED', false],
  ['/huge', 'TOO_LARGE', false],
  ['/gzip-bomb', 'TOO_LARGE', false],
  ['/brotli-bomb', 'TOO_LARGE', false],
  ['/empty-members', 'TOO_LARGE', false],
  ['/chained-encodings', 'BAD_ENCODING', false],
  ['/unknown-encoding', 'BAD_ENCODING', false],
  ['/not-gzip', 'BAD_ENCODING', false],
  ['/half-gzip', 'BAD_ENCODING', false],
  ['/redirect-loop', 'TOO_MANY_REDIRECTS', false],
  ['/redirect-chain/6', 'TOO_MANY_REDIRECTS', false, { maxRedirects: 5 }],
  ['/redirect-nowhere', 'INVALID_URL', false],
  ['/length-too-long', 'CONNECTION_FAILED', true],
  ['/two-lengths', 'CONNECTION_FAILED', false],
  ['/cut-off', 'CONNECTION_FAILED', true],
  ['/hangs-up', 'CONNECTION_FAILED', true],
  ['/not-http', 'INVALID_HTTP_RESPONSE', false],
];

describe('Fetch from hostile servers', () => {
  let site: Awaited<ReturnType<typeof aHostileSite>>;

  before(async () => {
    site = await aHostileSite();
  });
  after(() => site.close());

  for (const [path, code, transient, options] of outcomes) {
    it(`fetch of the hostile page ${path} fails with ${code}`, async () => {
      const timeoutMs = code === 'TIMEOUT' ? DEADLINE_MS : 5_000;
      const failure = await failureOf(fetch(site.url(path), { maxBytes: MAX_BYTES, timeoutMs, ...options }));
      expect(failure).to.include({ code, transient });
      expect(failure.message).to.match(/^[A-Z].+\.$/);
      expect(failure.hint).to.be.a('string').that.is.not.empty;
    });
  }

  it('a normal page is fetched while each hostile page, except those that cause a timeout, is fetched twenty times', async () => {
    const each = outcomes.filter(([, code]) => code !== 'TIMEOUT');
    const twenty = Array.from({ length: 20 }, () => each).flat();
    const work = twenty.map(([path, , , options]) =>
      failureOf(fetch(site.url(path), { maxBytes: MAX_BYTES, timeoutMs: 15_000, ...options })),
    );
    expect(textOf(await fetch(site.url('/ok')))).to.include('nine');
    expect((await Promise.all(work)).map(({ code }) => code)).to.deep.equal(twenty.map(([, code]) => code));
  }).timeout(20_000);

  it('an endless body is truncated at `maxBytes` bytes if the `truncate` option is set', async () => {
    const { body } = await fetch(site.url('/endless-body'), { maxBytes: 1_000, truncate: true });
    expect(body).to.have.length(1_000);
  });

  it('a fetch has one deadline for all its redirects', async () => {
    const hop: FakePage = { status: 302, headers: { location: '/b' }, delayMs: 200 };
    const slow = await aSite({ '/a': hop, '/b': { ...hop, headers: { location: '/c' } }, '/c': 'there' });
    expect(await failureOf(fetch(slow.url('/a'), { timeoutMs: 300 }))).to.include({ code: 'TIMEOUT' });
    expect(slow.hits.get('/c')).to.equal(undefined);
    await slow.close();
  });

  it('an aborted fetch fails with the reason of its signal', async () => {
    const caller = new AbortController();
    const work = fetch(site.url('/silent'), { signal: caller.signal });
    const reason = new Error('the job is stopping');
    caller.abort(reason);
    const failure = await work.catch((error: unknown) => error);
    expect(failure).to.equal(reason);
  });
});

describe('Fetch of a page', () => {
  it('fetch follows redirects up to maxRedirects and returns them with the final URL', async () => {
    const site = await aSite({
      '/a': { status: 301, headers: { location: 'b?x=1#part' } },
      '/b?x=1': { status: 308, headers: { location: '/c' } },
      '/c': { body: 'there', headers: { 'x-seen': 'yes' } },
    });
    const fetched = await fetch(site.url('/a#top'), { maxRedirects: 2 });
    expect(fetched).to.include({ url: site.url('/c'), status: 200 });
    expect(fetched.redirects).to.deep.equal([site.url('/b?x=1'), site.url('/c')]);
    expect(fetched.headers['x-seen']).to.equal('yes');
    expect(await failureOf(fetch(site.url('/a'), { maxRedirects: 1 }))).to.include({ code: 'TOO_MANY_REDIRECTS' });
    const refused = await failureOf(fetch(site.url('/a'), { json: '{}' }));
    expect(refused.message).to.equal('The server redirects this request, but redirects are not followed.');
    await site.close();
  });

  it('fetch calls onRedirect before each redirect and fails with the error that onRedirect throws', async () => {
    const site = await aSite({ '/a': { status: 302, headers: { location: '/b' } }, '/b': 'secret' });
    const redirectUrls: string[] = [];
    const onRedirect = async (url: string) => {
      redirectUrls.push(url);
      throw new Error('not there');
    };
    const failure = await fetch(site.url('/a'), { onRedirect }).catch((error: Error) => error.message);
    expect(failure).to.equal('not there');
    expect(redirectUrls).to.deep.equal([site.url('/b')]);
    expect(site.hits.get('/b')).to.equal(undefined);
    await site.close();
  });

  it('fetch decodes gzip, brotli, and deflate with or without a zlib header', async () => {
    const text = 'We open at nine. '.repeat(500);
    const pages: Record<string, FakePage> = {
      '/gzip': { body: gzipSync(text), headers: { 'content-encoding': 'GZIP' } },
      '/br': { body: brotliCompressSync(text), headers: { 'content-encoding': 'br' } },
      '/zlib': { body: deflateSync(text), headers: { 'content-encoding': 'deflate' } },
      '/bare': { body: deflateRawSync(text), headers: { 'content-encoding': 'deflate, identity' } },
      '/plain': { body: text },
      '/nothing': { body: '', headers: { 'content-encoding': 'gzip' } },
    };
    const site = await aSite(pages);
    for (const path of Object.keys(pages)) {
      expect(textOf(await fetch(site.url(path))), path).to.equal(path === '/nothing' ? '' : text);
    }
    await site.close();
  });

  it('A22: a body of `maxBytes` bytes is accepted and a longer one is rejected, with or without compression', async () => {
    const text = 'x'.repeat(50_000);
    const packed = { body: gzipSync(text), headers: { 'content-encoding': 'gzip' } };
    const site = await aSite({ '/plain': text, '/packed': packed });
    for (const path of ['/plain', '/packed']) {
      expect((await fetch(site.url(path), { maxBytes: 50_000 })).body).to.have.length(50_000);
      expect(await failureOf(fetch(site.url(path), { maxBytes: 49_999 }))).to.include({ code: 'TOO_LARGE' });
    }
    await site.close();
  });

  it('fetch sends a user agent, and omits credentials when a redirect leads to another origin', async () => {
    const far = await aSite({ '/': 'far' });
    const near = await aSite({ '/': { status: 302, headers: { location: far.url('/') } } });
    await fetch(near.url('/'), { headers: { authorization: 'Bearer x', 'if-none-match': '"a"' } });
    expect(near.requests[0]?.headers).to.include({ authorization: 'Bearer x' });
    expect(near.requests[0]?.headers['user-agent']).to.match(/^\w+\/\d/);
    expect(far.requests[0]?.headers).to.include({ 'if-none-match': '"a"' }).and.not.have.property('authorization');
    await Promise.all([far.close(), near.close()]);
  });

  it('an unknown host name is a permanent failure, and an unanswered DNS lookup is a transient failure', async () => {
    const failing = (code: string) =>
      createFetcher({ lookup: (_host, _options, done) => done(Object.assign(new Error(code), { code }), []) });
    const gone = await failureOf(failing('ENOTFOUND')('http://nowhere.test/'));
    const later = await failureOf(failing('EAI_AGAIN')('http://nowhere.test/'));
    expect(gone).to.include({ code: 'DNS_FAILED', transient: false });
    expect(later).to.include({ code: 'DNS_FAILED', transient: true });
  });

  it('a closed port causes a transient CONNECTION_FAILED error', async () => {
    const site = await aSite();
    await site.close();
    expect(await failureOf(fetch(site.url('/')))).to.include({ code: 'CONNECTION_FAILED', transient: true });
  });
});
