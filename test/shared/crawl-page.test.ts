import { expect } from 'chai';
import { Redis } from 'ioredis';
import { config } from '#shared/config.ts';
import { type CrawlOptions, createCrawler } from '#shared/crawl/crawl-page.ts';
import { createHostRateLimiter } from '#shared/crawl/host-rate-limiter.ts';
import { MAX_RETRY_AFTER_MS } from '#shared/crawl/response-checks.ts';
import { parseRetryAfterMs } from '#shared/time/retry-after.ts';
import { createFetcher, FetchError } from '#shared/fetch/guarded-fetch.ts';
import { aSite, type FakePage, type FakeSiteOptions } from '../support/fake-site.ts';
import { waitUntil } from '../support/wait-until.ts';

const fetchPage = createFetcher({ allow: ['127.0.0.1'], servicePorts: [] });

describe('Crawler: fetching a page', () => {
  let redis: Redis;
  const sites: Awaited<ReturnType<typeof aSite>>[] = [];

  before(() => {
    redis = new Redis(config.REDIS_URL);
  });
  afterEach(() => Promise.all(sites.splice(0).map((site) => site.close())));
  after(() => redis.quit());

  const aVisitedSite = async (pages: Record<string, FakePage>, options: FakeSiteOptions = {}) => {
    const site = await aSite(pages, options);
    sites.push(site);
    return site;
  };

  const visit = (url: string, options?: CrawlOptions) => createCrawler(redis, { fetch: fetchPage })(url, options);

  const failureOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => expect.fail('the page was fetched'),
      (failure: unknown) => failure,
    );
    if (!(error instanceof FetchError)) throw error;
    return error;
  };

  it('a fetch returns the body, content type, final URL and validators of the page', async () => {
    const changed = 'Sat, 01 Aug 2026 10:00:00 GMT';
    const site = await aVisitedSite({
      '/old': { status: 301, headers: { location: '/hours' } },
      '/hours': { body: 'nine', headers: { etag: '"v1"', 'last-modified': changed } },
    });
    const page = await visit(site.url('/old'));
    expect(page).to.deep.equal({
      notModified: false,
      body: Buffer.from('nine'),
      contentType: 'text/html; charset=utf-8',
      url: site.url('/hours'),
      etag: '"v1"',
      lastModified: changed,
    });
  });

  it('validators are sent with the request, and a 304 response is reported as not modified', async () => {
    const site = await aVisitedSite({ '/hours': 'nine' }, { etags: true });
    const first = await visit(site.url('/hours'));
    const etag = first.notModified ? undefined : first.etag;
    expect(await visit(site.url('/hours'), { etag })).to.deep.equal({ notModified: true });
    site.pages['/hours'] = 'ten';
    expect(await visit(site.url('/hours'), { etag, lastModified: 'x' })).to.deep.include({ body: Buffer.from('ten') });
    expect(site.requests.at(-1)?.headers).to.include({ 'if-none-match': etag, 'if-modified-since': 'x' });
  });

  it('a 304 response to an unconditional request is a permanent failure', async () => {
    const site = await aVisitedSite({ '/hours': { status: 304 } });
    expect(await failureOf(visit(site.url('/hours')))).to.include({ code: 'HTTP_304', transient: false });
  });

  it('the crawler obeys robots.txt for pages and for redirect targets', async () => {
    const closed = await aVisitedSite({ '/robots.txt': 'User-agent: *\nDisallow: /private', '/private': 'no' });
    const open = await aVisitedSite({ '/in': { status: 302, headers: { location: closed.url('/private') } } });
    for (const url of [closed.url('/private'), open.url('/in')]) {
      expect(await failureOf(visit(url))).to.include({ code: 'ROBOTS_DISALLOWED', transient: false });
    }
    expect(closed.hits.get('/private')).to.equal(undefined);
  });

  it('each HTTP error status is mapped to a permanent or a transient failure', async () => {
    // 429 is last, because it pauses all requests to the host.
    const statuses = [400, 401, 403, 404, 410, 451, 408, 500, 502, 503, 504, 429];
    const site = await aVisitedSite(Object.fromEntries(statuses.map((status) => [`/${status}`, { status }])));
    for (const status of statuses) {
      const failure = await failureOf(visit(site.url(`/${status}`)));
      expect(failure, `${status}`).to.include({
        code: `HTTP_${status}`,
        transient: [408, 429].includes(status) || status >= 500,
      });
      expect(failure.hint).to.match(/^[A-Z].+\.$/);
    }
  });

  it('after a 429 response, no requests are sent to the host until the time in Retry-After has passed', async () => {
    const site = await aVisitedSite({ '/busy': { status: 429, headers: { 'retry-after': '60' } }, '/hours': 'nine' });
    expect(await failureOf(visit(site.url('/busy')))).to.include({ code: 'HTTP_429', retryAfterMs: 60_000 });
    const later = await failureOf(visit(site.url('/hours')));
    expect(later).to.include({ code: 'HOST_PAUSED', transient: true });
    expect(later.retryAfterMs).to.be.within(50_000, 60_000);
    expect(site.hits.get('/hours')).to.equal(undefined);
  });

  it('a response that is not text is rejected before its body is read', async () => {
    const site = await aVisitedSite({
      '/png': { headers: { 'content-type': 'image/png', 'content-length': '1000000000' } },
      '/zip': { headers: { 'content-type': 'application/zip' } },
      '/feed': { body: 'feed', headers: { 'content-type': 'application/atom+xml' } },
      '/bare': { body: 'bare', headers: { 'content-type': '' } },
    });
    for (const path of ['/png', '/zip']) {
      expect(await failureOf(visit(site.url(path)))).to.include({ code: 'UNSUPPORTED_TYPE', transient: false });
    }
    for (const path of ['/feed', '/bare']) expect(await visit(site.url(path))).to.include({ notModified: false });
  });

  it('a crawl waits at most `maxWaitMs` to obtain a permit for the host, and releases the permit after the fetch', async () => {
    const site = await aVisitedSite({ '/hours': 'nine' });
    const host = new URL(site.origin).host;
    const rateLimiter = createHostRateLimiter(redis, { concurrency: 1 });
    const single = createCrawler(redis, { fetch: fetchPage, limits: { concurrency: 1 } });
    const permit = await rateLimiter.acquire(host);
    expect(await failureOf(single(site.url('/hours'), { maxWaitMs: 0 }))).to.include({ code: 'HOST_BUSY' });
    const waiting = single(site.url('/hours'), { maxWaitMs: 2_000 });
    if (permit.granted) await permit.release();
    expect(await waiting).to.include({ notModified: false });
    expect((await rateLimiter.acquire(host)).granted).to.equal(true);
  });

  it('concurrent crawlers do not exceed the limit on concurrent requests to a host', async () => {
    const paths = Array.from({ length: 12 }, (_, n) => `/${n}`);
    const site = await aVisitedSite(Object.fromEntries(paths.map((path) => [path, { body: path, delayMs: 15 }])));
    let maxOpen = 0;
    const countingFetch: typeof fetchPage = async (url, options) => {
      if (!url.endsWith('robots.txt')) running += 1;
      maxOpen = Math.max(maxOpen, running);
      return fetchPage(url, options).finally(() => {
        if (!url.endsWith('robots.txt')) running -= 1;
      });
    };
    let running = 0;
    const aWorker = () => createCrawler(redis, { fetch: countingFetch, limits: { concurrency: 2 } });
    const [one, two] = [aWorker(), aWorker()];
    await Promise.all(paths.map((path, n) => (n % 2 ? one : two)(site.url(path), { maxWaitMs: 5_000 })));
    expect(maxOpen).to.equal(2);
  });

  it('a crawl stops when its signal is aborted', async () => {
    const reason = new Error('the job is stopping');
    for (const slow of ['/hours', '/robots.txt']) {
      const site = await aVisitedSite({ [slow]: { delayMs: 60_000 } });
      const caller = new AbortController();
      const work = visit(site.url('/hours'), { signal: caller.signal }).catch((error: unknown) => error);
      await waitUntil(() => site.hits.has(slow));
      caller.abort(reason);
      expect(await work).to.equal(reason);
    }
  });

  it('a private address is rejected with TARGET_NOT_ALLOWED, and an invalid URL with INVALID_URL', async () => {
    expect(await failureOf(visit('http://10.0.0.1/'))).to.include({ code: 'TARGET_NOT_ALLOWED', transient: false });
    expect(await failureOf(visit('no address'))).to.include({ code: 'INVALID_URL', transient: false });
  });
});

describe('Retry-After header', () => {
  it('Retry-After is read as seconds or a date, with a maximum of five minutes', () => {
    const now = Date.parse('2026-08-01T10:00:00Z');
    const read = (header: string | undefined) => parseRetryAfterMs(header, { now, maxMs: MAX_RETRY_AFTER_MS });
    expect(
      ['7', ' 0 ', '86400', 'Sat, 01 Aug 2026 10:00:30 GMT', 'Sat, 01 Aug 2020 10:00:30 GMT'].map(read),
    ).to.deep.equal([7_000, 0, 300_000, 30_000, 0]);
    expect(['soon', '', undefined].map(read)).to.deep.equal([undefined, undefined, undefined]);
  });
});
