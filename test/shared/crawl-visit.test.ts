import { expect } from 'chai';
import { Redis } from 'ioredis';
import { config } from '#shared/config.ts';
import { createFetcher, FetchError } from '#shared/fetch.ts';
import { retryAfterMs } from '../../shared/crawl/answers.ts';
import { createPoliteness } from '../../shared/crawl/politeness.ts';
import { createVisit, type VisitOptions } from '../../shared/crawl/visit.ts';
import { aSite, type FakePage, type FakeSiteOptions } from '../support/fake-site.ts';
import { until } from '../support/until.ts';

const fetch = createFetcher({ allow: ['127.0.0.1'], ownPorts: [] });

describe('visiting a page', () => {
  let redis: Redis;
  const sites: Awaited<ReturnType<typeof aSite>>[] = [];

  before(() => {
    redis = new Redis(config.REDIS_URL);
  });
  afterEach(() => Promise.all(sites.splice(0).map((site) => site.close())));
  after(() => redis.quit());

  const aVisited = async (pages: Record<string, FakePage>, options: FakeSiteOptions = {}) => {
    const site = await aSite(pages, options);
    sites.push(site);
    return site;
  };

  const visit = (url: string, options?: VisitOptions) => createVisit(redis, { fetch })(url, options);

  const failureOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => expect.fail('it was visited'),
      (failure: unknown) => failure,
    );
    if (!(error instanceof FetchError)) throw error;
    return error;
  };

  it('hands over the page, its type, its last address and its validators', async () => {
    const changed = 'Sat, 01 Aug 2026 10:00:00 GMT';
    const site = await aVisited({
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

  it('asks with the validators it has, and says when nothing changed', async () => {
    const site = await aVisited({ '/hours': 'nine' }, { etags: true });
    const first = await visit(site.url('/hours'));
    const etag = first.notModified ? undefined : first.etag;
    expect(await visit(site.url('/hours'), { etag })).to.deep.equal({ notModified: true });
    site.pages['/hours'] = 'ten';
    expect(await visit(site.url('/hours'), { etag, lastModified: 'x' })).to.deep.include({ body: Buffer.from('ten') });
    expect(site.requests.at(-1)?.headers).to.include({ 'if-none-match': etag, 'if-modified-since': 'x' });
  });

  it('takes a 304 it did not ask for as the fault it is', async () => {
    const site = await aVisited({ '/hours': { status: 304 } });
    expect(await failureOf(visit(site.url('/hours')))).to.include({ code: 'HTTP_304', transient: false });
  });

  it('obeys robots.txt, also where a redirect leads', async () => {
    const closed = await aVisited({ '/robots.txt': 'User-agent: *\nDisallow: /private', '/private': 'no' });
    const open = await aVisited({ '/in': { status: 302, headers: { location: closed.url('/private') } } });
    for (const url of [closed.url('/private'), open.url('/in')]) {
      expect(await failureOf(visit(url))).to.include({ code: 'ROBOTS_DISALLOWED', transient: false });
    }
    expect(closed.hits.get('/private')).to.equal(undefined);
  });

  it('maps each status to a final or a passing failure', async () => {
    const statuses = [400, 401, 403, 404, 410, 451, 408, 500, 502, 503, 504, 429]; // the last one pauses the host
    const site = await aVisited(Object.fromEntries(statuses.map((status) => [`/${status}`, { status }])));
    for (const status of statuses) {
      const failure = await failureOf(visit(site.url(`/${status}`)));
      expect(failure, `${status}`).to.include({
        code: `HTTP_${status}`,
        transient: [408, 429].includes(status) || status >= 500,
      });
      expect(failure.hint).to.match(/^[A-Z].+\.$/);
    }
  });

  it('keeps every worker off a host for as long as its Retry-After says', async () => {
    const site = await aVisited({ '/busy': { status: 429, headers: { 'retry-after': '60' } }, '/hours': 'nine' });
    expect(await failureOf(visit(site.url('/busy')))).to.include({ code: 'HTTP_429', retryAfterMs: 60_000 });
    const later = await failureOf(visit(site.url('/hours')));
    expect(later).to.include({ code: 'HOST_PAUSED', transient: true });
    expect(later.retryAfterMs).to.be.within(50_000, 60_000);
    expect(site.hits.get('/hours')).to.equal(undefined);
  });

  it('refuses what is no text before its body is read', async () => {
    const site = await aVisited({
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

  it('waits a little for a turn, then gives the page back; either way its own turn is given back at the end', async () => {
    const site = await aVisited({ '/hours': 'nine' });
    const host = new URL(site.origin).host;
    const politeness = createPoliteness(redis, { concurrency: 1 });
    const single = createVisit(redis, { fetch, limits: { concurrency: 1 } });
    const turn = await politeness.acquire(host);
    expect(await failureOf(single(site.url('/hours'), { waitMs: 0 }))).to.include({ code: 'HOST_BUSY' });
    const waiting = single(site.url('/hours'), { waitMs: 2_000 });
    if (turn.granted) await turn.release();
    expect(await waiting).to.include({ notModified: false });
    expect((await politeness.acquire(host)).granted).to.equal(true);
  });

  it('never has more requests at one host than allowed, and gets all pages', async () => {
    const paths = Array.from({ length: 12 }, (_, n) => `/${n}`);
    const site = await aVisited(Object.fromEntries(paths.map((path) => [path, { body: path, delayMs: 15 }])));
    let most = 0;
    const watched: typeof fetch = async (url, options) => {
      if (!url.endsWith('robots.txt')) running += 1;
      most = Math.max(most, running);
      return fetch(url, options).finally(() => {
        if (!url.endsWith('robots.txt')) running -= 1;
      });
    };
    let running = 0;
    const aWorker = () => createVisit(redis, { fetch: watched, limits: { concurrency: 2 } });
    const [one, two] = [aWorker(), aWorker()];
    await Promise.all(paths.map((path, n) => (n % 2 ? one : two)(site.url(path), { waitMs: 5_000 })));
    expect(most).to.equal(2);
  });

  it('stops when the caller leaves', async () => {
    const reason = new Error('the pump is stopping');
    for (const slow of ['/hours', '/robots.txt']) {
      const site = await aVisited({ [slow]: { delayMs: 60_000 } });
      const caller = new AbortController();
      const work = visit(site.url('/hours'), { signal: caller.signal }).catch((error: unknown) => error);
      await until(() => site.hits.has(slow));
      caller.abort(reason);
      expect(await work).to.equal(reason);
    }
  });

  it('refuses private addresses with the reason of the guard', async () => {
    expect(await failureOf(visit('http://10.0.0.1/'))).to.include({ code: 'REFUSED_TARGET', transient: false });
    expect(await failureOf(visit('no address'))).to.include({ code: 'BAD_URL', transient: false });
  });
});

describe('a Retry-After', () => {
  it('is seconds or a date, five minutes at most', () => {
    const now = Date.parse('2026-08-01T10:00:00Z');
    const read = (header: string | undefined) => retryAfterMs(header, now);
    expect(
      ['7', ' 0 ', '86400', 'Sat, 01 Aug 2026 10:00:30 GMT', 'Sat, 01 Aug 2020 10:00:30 GMT'].map(read),
    ).to.deep.equal([7_000, 0, 300_000, 30_000, 0]);
    expect(['soon', '', undefined].map(read)).to.deep.equal([undefined, undefined, undefined]);
  });
});
