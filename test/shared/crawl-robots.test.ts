import { expect } from 'chai';
import { Redis } from 'ioredis';
import { config } from '#shared/config.ts';
import { createFetcher, FetchError } from '#shared/fetch.ts';
import { createRobots } from '../../shared/crawl/robots.ts';
import { digest, readRules } from '../../shared/crawl/robots-rules.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aHostileSite } from '../support/hostile-site.ts';

const ORIGIN = 'https://site.test';
const fetch = createFetcher({ allow: ['127.0.0.1'], ownPorts: [] });

const allowed = (robotsTxt: string, ...paths: string[]) => {
  const { allows } = readRules(ORIGIN, digest(robotsTxt, 'SupportChatBot/1.0'));
  return paths.filter((path) => allows(ORIGIN + path));
};

describe('reading robots.txt (RFC 9309)', () => {
  it('obeys the groups that name the crawler, together, and none of the others', () => {
    const text = [
      'User-agent: *\nDisallow: /',
      'User-Agent: otherbot\nUSER-AGENT: supportchatbot/2.0 # us\nDisallow: /a',
      'Sitemap: https://site.test/sitemap.xml',
      'User-agent: SupportChatBot\nDisallow: /b\nAllow: /b/open',
    ].join('\r\n');
    expect(allowed(text, '/', '/a', '/b', '/b/open', '/c')).to.deep.equal(['/', '/b/open', '/c']);
  });

  it('obeys the groups for everyone where none names it, and an empty group that does allows all', () => {
    expect(allowed('User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /b', '/a', '/b')).to.deep.equal(['/b']);
    expect(allowed('User-agent: *\nDisallow: /\nUser-agent: supportchatbot\nDisallow:', '/a')).to.deep.equal(['/a']);
  });

  it('knows wildcards, the end mark, and that the longest rule wins', () => {
    const text = 'User-agent: *\nDisallow: /*.php$\nDisallow: /docs/*/old\nAllow: /docs/a/old/but';
    const paths = ['/x.php', '/x.php?a', '/docs/a/old', '/docs/a/old/but', '/docs/a'];
    expect(allowed(text, ...paths)).to.deep.equal(['/x.php?a', '/docs/a/old/but', '/docs/a']);
  });

  it('caps the crawl delay at ten seconds and takes no nonsense for one', () => {
    const delay = (value: string) => readRules(ORIGIN, digest(`User-agent: *\nCrawl-delay: ${value}`)).delayMs;
    expect(['0.5', '3600', '-1', 'soon', 'Infinity'].map(delay)).to.deep.equal([
      500,
      10_000,
      undefined,
      undefined,
      10_000,
    ]);
  });

  it('keeps little of a file made to be costly, and allows no URL that is costly to match (A22)', () => {
    const agents = 'user-agent: a\n'.repeat(10_000);
    const rules = `disallow: /${'*a'.repeat(40)}$\n`.repeat(3_000);
    const text = `${agents}user-agent: *\n${rules}`;
    expect(digest(text)).to.have.length.below(70_000);
    expect(allowed(text, '/b', `/${'a'.repeat(2_000)}b`)).to.deep.equal(['/b']);
  });
});

describe('robots.txt of a site', () => {
  let redis: Redis;

  before(() => {
    redis = new Redis(config.REDIS_URL);
  });
  after(() => redis.quit());

  const robotsWith = async (page: FakePage | undefined) => {
    const site = await aSite(page === undefined ? {} : { '/robots.txt': page });
    return { site, robots: createRobots(redis, fetch) };
  };

  const codeOf = async (work: Promise<unknown>) => {
    const failure = await work.catch((error: unknown) => error);
    return failure instanceof FetchError ? [failure.code, failure.transient] : failure;
  };

  it('is fetched once for all pages, by all workers', async () => {
    const { site, robots } = await robotsWith('User-agent: *\nDisallow: /a');
    const both = await Promise.all([robots(site.url('/a')), robots(site.url('/b'))]);
    const elsewhere = await createRobots(redis, fetch)(site.url('/a'));
    expect(both.map(({ allows }) => [allows(site.url('/a')), allows(site.url('/b'))])).to.deep.equal([
      [false, true],
      [false, true],
    ]);
    expect(elsewhere.allows(site.url('/a'))).to.equal(false);
    expect(site.hits.get('/robots.txt')).to.equal(1);
    await site.close();
  });

  it('allows everything where it is missing or forbidden', async () => {
    for (const page of [undefined, { status: 403 }, { status: 410 }]) {
      const { site, robots } = await robotsWith(page);
      expect((await robots(site.url('/a'))).allows(site.url('/a'))).to.equal(true);
      await site.close();
    }
  });

  it('keeps us off for now where it fails, and is asked no more often than every half minute', async () => {
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

  it('gives the true reason where the site cannot be reached or must not be', async () => {
    const { site, robots } = await robotsWith('');
    await site.close();
    expect(await codeOf(robots(site.url('/a')))).to.deep.equal(['CONNECTION_FAILED', true]);
    expect(await codeOf(robots('http://10.0.0.1/a'))).to.deep.equal(['REFUSED_TARGET', false]);
  });

  it('reads the first 500 KiB of a larger file', async () => {
    const { site, robots } = await robotsWith(`User-agent: *\nDisallow: /a\n${'#'.repeat(600 * 1024)}\nDisallow: /b`);
    const { allows } = await robots(site.url('/'));
    expect([allows(site.url('/a')), allows(site.url('/b'))]).to.deep.equal([false, true]);
    await site.close();
  });

  it('counts as missing where it cannot be read', async () => {
    const hostile = await aHostileSite();
    const page = { status: 302, headers: { location: hostile.url('/redirect-loop') } };
    const { site, robots } = await robotsWith(page);
    expect((await robots(site.url('/a'))).allows(site.url('/a'))).to.equal(true);
    await Promise.all([site.close(), hostile.close()]);
  });
});
