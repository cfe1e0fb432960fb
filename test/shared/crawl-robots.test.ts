import { expect } from 'chai';
import { Redis } from 'ioredis';
import { config } from '#shared/config.ts';
import { createFetcher, FetchError } from '#shared/fetch/guarded-fetch.ts';
import { createRobotsReader } from '../../shared/crawl/robots.ts';
import { extractRules, parseRobotsRules } from '../../shared/crawl/robots-rules.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aHostileSite } from '../support/hostile-site.ts';

const ORIGIN = 'https://site.test';
const fetchPage = createFetcher({ allow: ['127.0.0.1'], servicePorts: [] });

const allowed = (robotsTxt: string, ...paths: string[]) => {
  const { allows } = parseRobotsRules(ORIGIN, extractRules(robotsTxt, 'SupportChatBot/1.0'));
  return paths.filter((path) => allows(ORIGIN + path));
};

describe('Rules in robots.txt (RFC 9309)', () => {
  it('all groups of robots.txt that name the crawler apply, and no others', () => {
    const text = [
      'User-agent: *\nDisallow: /',
      'User-Agent: otherbot\nUSER-AGENT: supportchatbot/2.0 # us\nDisallow: /a',
      'Sitemap: https://site.test/sitemap.xml',
      'User-agent: SupportChatBot\nDisallow: /b\nAllow: /b/open',
    ].join('\r\n');
    expect(allowed(text, '/', '/a', '/b', '/b/open', '/c')).to.deep.equal(['/', '/b/open', '/c']);
  });

  it('the `*` group of robots.txt applies if no group names the crawler, and an empty group for the crawler allows all pages', () => {
    expect(allowed('User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /b', '/a', '/b')).to.deep.equal(['/b']);
    expect(allowed('User-agent: *\nDisallow: /\nUser-agent: supportchatbot\nDisallow:', '/a')).to.deep.equal(['/a']);
  });

  it('rules in robots.txt may contain * and $, and the longest matching rule applies', () => {
    const text = 'User-agent: *\nDisallow: /*.php$\nDisallow: /docs/*/old\nAllow: /docs/a/old/but';
    const paths = ['/x.php', '/x.php?a', '/docs/a/old', '/docs/a/old/but', '/docs/a'];
    expect(allowed(text, ...paths)).to.deep.equal(['/x.php?a', '/docs/a/old/but', '/docs/a']);
  });

  it('the crawl delay in robots.txt is limited to ten seconds, and invalid values are ignored', () => {
    const delay = (value: string) =>
      parseRobotsRules(ORIGIN, extractRules(`User-agent: *\nCrawl-delay: ${value}`)).delayMs;
    expect(['0.5', '3600', '-1', 'soon', 'Infinity'].map(delay)).to.deep.equal([
      500,
      10_000,
      undefined,
      undefined,
      10_000,
    ]);
  });

  it('a hostile robots.txt is truncated, and URLs that are expensive to match are disallowed', () => {
    const agents = 'user-agent: a\n'.repeat(10_000);
    const rules = `disallow: /${'*a'.repeat(40)}$\n`.repeat(3_000);
    const text = `${agents}user-agent: *\n${rules}`;
    expect(extractRules(text)).to.have.length.below(70_000);
    expect(allowed(text, '/b', `/${'a'.repeat(2_000)}b`)).to.deep.equal(['/b']);
  });
});

describe('Requests for robots.txt', () => {
  let redis: Redis;

  before(() => {
    redis = new Redis(config.REDIS_URL);
  });
  after(() => redis.quit());

  const robotsWith = async (page: FakePage | undefined) => {
    const site = await aSite(page === undefined ? {} : { '/robots.txt': page });
    return { site, robots: createRobotsReader(redis, fetchPage) };
  };

  const codeOf = async (work: Promise<unknown>) => {
    const failure = await work.catch((error: unknown) => error);
    return failure instanceof FetchError ? [failure.code, failure.transient] : failure;
  };

  it('robots.txt is fetched once for all pages and workers', async () => {
    const { site, robots } = await robotsWith('User-agent: *\nDisallow: /a');
    const parsedRules = await Promise.all([robots(site.url('/a')), robots(site.url('/b'))]);
    const elsewhere = await createRobotsReader(redis, fetchPage)(site.url('/a'));
    expect(parsedRules.map(({ allows }) => [allows(site.url('/a')), allows(site.url('/b'))])).to.deep.equal([
      [false, true],
      [false, true],
    ]);
    expect(elsewhere.allows(site.url('/a'))).to.equal(false);
    expect(site.hits.get('/robots.txt')).to.equal(1);
    await site.close();
  });

  it('a missing or forbidden robots.txt allows all pages', async () => {
    for (const page of [undefined, { status: 403 }, { status: 410 }]) {
      const { site, robots } = await robotsWith(page);
      expect((await robots(site.url('/a'))).allows(site.url('/a'))).to.equal(true);
      await site.close();
    }
  });

  it('a 429 or 5xx response to a request for robots.txt blocks the site temporarily, and robots.txt is requested at most once every 30 seconds', async () => {
    for (const status of [500, 503, 429]) {
      const { site, robots } = await robotsWith({ status });
      for (let n = 0; n < 3; n += 1) {
        expect(await codeOf(robots(site.url('/a')))).to.deep.equal(['ROBOTS_UNREACHABLE', true]);
      }
      expect(site.hits.get('/robots.txt')).to.equal(1);
      expect(await redis.ttl(`${config.QUEUE_PREFIX}:robots:${site.origin}`)).to.be.within(1, 30);
      await site.close();
    }
  });

  it('an unreachable site and a private address are reported with the error code of the failed fetch', async () => {
    const { site, robots } = await robotsWith('');
    await site.close();
    expect(await codeOf(robots(site.url('/a')))).to.deep.equal(['CONNECTION_FAILED', true]);
    expect(await codeOf(robots('http://10.0.0.1/a'))).to.deep.equal(['TARGET_NOT_ALLOWED', false]);
  });

  it('only the first 500 KiB of robots.txt are read', async () => {
    const { site, robots } = await robotsWith(`User-agent: *\nDisallow: /a\n${'#'.repeat(600 * 1024)}\nDisallow: /b`);
    const { allows } = await robots(site.url('/'));
    expect([allows(site.url('/a')), allows(site.url('/b'))]).to.deep.equal([false, true]);
    await site.close();
  });

  it('a robots.txt that redirects endlessly is treated as missing', async () => {
    const hostile = await aHostileSite();
    const page = { status: 302, headers: { location: hostile.url('/redirect-loop') } };
    const { site, robots } = await robotsWith(page);
    expect((await robots(site.url('/a'))).allows(site.url('/a'))).to.equal(true);
    await Promise.all([site.close(), hostile.close()]);
  });
});
