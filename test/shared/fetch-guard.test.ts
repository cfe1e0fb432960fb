import type { LookupAddress } from 'node:dns';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { createFetcher, FetchError } from '#shared/fetch.ts';
import type { Resolve } from '../../shared/fetch/connector.ts';
import { ownPorts } from '../../shared/fetch/own-ports.ts';
import { isPublic, mayConnect, parseRules } from '../../shared/fetch/rules.ts';
import { aSite } from '../support/fake-site.ts';
import { aCanary, aHostileSite } from '../support/hostile-site.ts';
import { forbiddenTargets } from '../support/ssrf-targets.ts';

const LOOPBACK = '127.0.0.1';
const OTHER_LOOPBACK = '127.0.0.2';
const wickedNames: Record<string, string> = { 'metadata.internal': '169.254.169.254' };

const codeOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return error instanceof FetchError ? error.code : error;
};

const answering = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Every name is the canary's but the ones that say otherwise: the worst a name server can do. */
const wickedLookup: Resolve = (host, _options, done) => done(null, answering(wickedNames[host] ?? LOOPBACK));

describe('the private-address guard (A4)', () => {
  let canary: Awaited<ReturnType<typeof aCanary>>;
  let site: Awaited<ReturnType<typeof aHostileSite>>;

  before(async () => {
    [canary, site] = await Promise.all([aCanary(), aHostileSite()]);
  });
  after(() => Promise.all([canary.close(), site.close()]));

  /** The canary's port counts as a web port, so that nothing but the judgement of addresses keeps us from it. */
  const guarded = () =>
    createFetcher({
      allow: [`${LOOPBACK}/32:${site.port}`],
      ownPorts: [],
      webPorts: [canary.port],
      lookup: wickedLookup,
    });

  const targets = () => forbiddenTargets.map((target) => target.replace('PORT', String(canary.port)));

  it('connects to no forbidden target that is named directly', async () => {
    const fetch = guarded();
    for (const target of targets()) {
      expect(await codeOf(fetch(target, { timeoutMs: 2_000 })), target).to.be.oneOf(['REFUSED_TARGET', 'BAD_URL']);
    }
    expect(targets().length).to.be.at.least(80);
    expect(canary.connections()).to.equal(0);
  });

  it('connects to no forbidden target that an allowed site redirects to', async () => {
    const fetch = guarded();
    for (const target of targets().filter((each) => !each.startsWith('http:127') && !each.startsWith('http:\\'))) {
      const start = site.url(`/moved-to/${encodeURIComponent(target)}`);
      expect(await codeOf(fetch(start, { timeoutMs: 2_000 })), target).to.be.oneOf(['REFUSED_TARGET', 'BAD_URL']);
    }
    expect(canary.connections()).to.equal(0);
  });

  it('refuses a name as soon as one of its addresses is private, wherever it stands among them', async () => {
    for (const mixed of [
      [LOOPBACK, OTHER_LOOPBACK],
      [OTHER_LOOPBACK, LOOPBACK],
      [LOOPBACK, LOOPBACK, '::1'],
    ]) {
      const lookup: Resolve = (_host, _options, done) => done(null, answering(...mixed));
      const fetch = createFetcher({ allow: [`${LOOPBACK}/32:${site.port}`], ownPorts: [], lookup });
      const before = site.counts.get('/ok') ?? 0;
      expect(await codeOf(fetch(`http://mixed.test:${site.port}/ok`))).to.equal('REFUSED_TARGET');
      expect(site.counts.get('/ok') ?? 0).to.equal(before);
    }
  });

  it('connects to the very address it judged, and judges anew when the name is bound to another (30 times)', async () => {
    const inner = await aCanary({ host: OTHER_LOOPBACK, port: site.port });
    let lookups = 0;
    const lookup: Resolve = (_host, _options, done) => {
      lookups += 1;
      done(null, answering(lookups % 2 ? LOOPBACK : OTHER_LOOPBACK));
    };
    for (let run = 0; run < 30; run += 1) {
      const fetch = createFetcher({ allow: [`${LOOPBACK}/32:${site.port}`], ownPorts: [], lookup });
      const url = `http://rebound-${run}.test:${site.port}/ok`;
      expect((await fetch(url)).status).to.equal(200);
      expect(await codeOf(fetch(url))).to.equal('REFUSED_TARGET');
    }
    expect(lookups).to.equal(60);
    expect(inner.connections()).to.equal(0);
    await inner.close();
  });

  it('reaches the canary where an operator allows it, so the zeros above mean something', async () => {
    const fetch = createFetcher({ allow: [`127.0.0.0/8:${canary.port}`], ownPorts: [] });
    const before = canary.connections();
    expect((await fetch(`http://${LOOPBACK}:${canary.port}/`)).status).to.equal(200);
    expect(canary.connections()).to.equal(before + 1);
  });

  it('keeps our own services closed when the test site is allowed, even to an entry that names them', async () => {
    const page = await aSite({ '/': 'open' });
    const before = canary.connections();
    const entries = [LOOPBACK, '127.0.0.0/8', `${LOOPBACK}:${canary.port}`, `127.0.0.0/8:${canary.port}`, 'localhost'];
    const fetch = createFetcher({ allow: entries, ownPorts: [canary.port] });
    expect((await fetch(page.url('/'))).status).to.equal(200);
    for (const host of [LOOPBACK, 'localhost']) {
      expect(await codeOf(fetch(`http://${host}:${canary.port}/`))).to.equal('REFUSED_TARGET');
    }
    expect(canary.connections()).to.equal(before);
    await page.close();
  });

  it('takes the ports of our own services from the settings', async () => {
    const fetch = createFetcher({ allow: [LOOPBACK] });
    for (const port of ownPorts()) {
      if (port !== 0) expect(await codeOf(fetch(`http://${LOOPBACK}:${port}/`))).to.equal('REFUSED_TARGET');
    }
    expect(ownPorts()).to.include(Number(new URL(config.REDIS_URL).port || 6379));
    const settings = {
      PORT: 3100,
      MONGODB_URI: 'mongodb://me:pa%2Fss@a.test:27101,b.test,[::1]:27103/chat?replicaSet=rs:0',
      REDIS_URL: 'rediss://:secret@cache.test',
      QDRANT_URL: 'http://vectors.test:7333',
    };
    expect([...ownPorts(settings)]).to.have.members([3100, 27101, 27017, 27103, 6379, 6333, 6334, 7333]);
  });
});

describe('the rules of FETCH_ALLOW (decision 48)', () => {
  const may = (host: string, place: [address: string, port: number], ...allow: string[]) =>
    mayConnect({ host, address: place[0], port: place[1] }, parseRules({ allow, ownPorts: [6379] }));

  it('lets public addresses through on 80 and 443 only', () => {
    for (const address of ['93.184.216.34', '1.1.1.1', '172.32.0.1', '100.63.255.255', '2606:4700::1111']) {
      expect([80, 443, 22, 8080, 6379].filter((port) => may('public.test', [address, port]))).to.deep.equal([80, 443]);
    }
  });

  it('knows the public addresses from the rest', () => {
    const inner = [
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '::8.8.8.8',
      '64:ff9b::808:808',
      '2002:808:808::1',
      '4000::1',
      'x',
      '',
    ];
    expect([...inner, 'fe80::1%eth0', '2606:4700::1%eth0', '010.1.1.1'].filter(isPublic)).to.deep.equal([]);
  });

  it('opens the port an entry names and no other', () => {
    expect(may('wiki.test', ['10.0.0.5', 8080], '10.0.0.0/8:8080')).to.equal(true);
    expect(may('wiki.test', ['10.0.0.5', 8081], '10.0.0.0/8:8080')).to.equal(false);
    expect(may('wiki.test', ['11.0.0.5', 8080], '10.0.0.0/8:8080')).to.equal(false);
    expect(may('WIKI.test.', ['10.0.0.5', 22], 'wiki.test:22')).to.equal(true);
    expect(may('other.test', ['10.0.0.5', 22], 'wiki.test:22')).to.equal(false);
  });

  it('opens 80, 443 and the free ports to a bare host or CIDR, but for our own', () => {
    const open = (entry: string) =>
      [22, 80, 443, 1023, 1024, 6379, 65_535].filter((port) => may('wiki.test', ['10.0.0.5', port], entry));
    for (const entry of ['wiki.test', '10.0.0.5', '10.0.0.0/8']) {
      expect(open(entry)).to.deep.equal([80, 443, 1024, 65_535]);
    }
  });

  it('takes IPv6 in brackets, and an IPv4 range does not cover an address that embeds it', () => {
    expect(may('[fd00::5]', ['fd00::5', 8080], '[fd00::/8]:8080')).to.equal(true);
    expect(may('[fd00::5]', ['fd00::5', 8080], '[fd00::]/8')).to.equal(true);
    expect(may('[fd00::5]', ['fd00::5', 8080], '[fd00::6]:8080')).to.equal(false);
    expect(may('x', ['::ffff:127.0.0.1', 8080], '127.0.0.0/8')).to.equal(false);
  });

  it('refuses to start on an entry it cannot read', () => {
    for (const entry of ['fd00::/8', 'a:b', '10.0.0.0/99', 'host:port:80', '[::1', ':80']) {
      expect(() => parseRules({ allow: [entry], ownPorts: [] }), entry).to.throw();
    }
  });
});
