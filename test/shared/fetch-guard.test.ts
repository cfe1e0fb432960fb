/** A4 is an attack described in docs/attacks.md. */
import type { LookupAddress } from 'node:dns';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { isPublic, mayConnect, parseAddressRules } from '#shared/fetch/address-rules.ts';
import { createFetcher, FetchError } from '#shared/fetch/guarded-fetch.ts';
import { servicePorts } from '#shared/fetch/service-ports.ts';
import type { ResolveHost } from '../../shared/fetch/connector.ts';
import { aSite } from '../support/fake-site.ts';
import { aCanary, aHostileSite } from '../support/hostile-site.ts';
import { forbiddenTargets } from '../support/ssrf-targets.ts';

const LOOPBACK = '127.0.0.1';
const OTHER_LOOPBACK = '127.0.0.2';
const hostileNames: Record<string, string> = { 'metadata.internal': '169.254.169.254' };

const codeOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return error instanceof FetchError ? error.code : error;
};

const answering = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** A hostile name server: resolves the names in `hostileNames` to their addresses, and all other names to loopback. */
const hostileLookup: ResolveHost = (host, _options, done) => done(null, answering(hostileNames[host] ?? LOOPBACK));

describe('Guard against private addresses', () => {
  let canary: Awaited<ReturnType<typeof aCanary>>;
  let site: Awaited<ReturnType<typeof aHostileSite>>;

  before(async () => {
    [canary, site] = await Promise.all([aCanary(), aHostileSite()]);
  });
  after(() => Promise.all([canary.close(), site.close()]));

  /**
   * Treats the port of the canary, a server that counts connections, as a web port, so that only the address check can
   * prevent a connection.
   */
  const guarded = () =>
    createFetcher({
      allow: [`${LOOPBACK}/32:${site.port}`],
      servicePorts: [],
      webPorts: [canary.port],
      lookup: hostileLookup,
    });

  const targets = () => forbiddenTargets.map((target) => target.replace('PORT', String(canary.port)));

  it('A4: fetch does not connect to a forbidden target', async () => {
    const fetch = guarded();
    for (const target of targets()) {
      expect(await codeOf(fetch(target, { timeoutMs: 2_000 })), target).to.be.oneOf([
        'TARGET_NOT_ALLOWED',
        'INVALID_URL',
      ]);
    }
    expect(targets().length).to.be.at.least(80);
    expect(canary.connections()).to.equal(0);
  });

  it('fetch does not follow a redirect from an allowed site to a forbidden target', async () => {
    const fetch = guarded();
    for (const target of targets().filter((each) => !each.startsWith('http:127') && !each.startsWith('http:\\'))) {
      const start = site.url(`/moved-to/${encodeURIComponent(target)}`);
      expect(await codeOf(fetch(start, { timeoutMs: 2_000 })), target).to.be.oneOf([
        'TARGET_NOT_ALLOWED',
        'INVALID_URL',
      ]);
    }
    expect(canary.connections()).to.equal(0);
  });

  it('a name is rejected if any of its addresses is forbidden', async () => {
    for (const mixed of [
      [LOOPBACK, OTHER_LOOPBACK],
      [OTHER_LOOPBACK, LOOPBACK],
      [LOOPBACK, LOOPBACK, '::1'],
    ]) {
      const lookup: ResolveHost = (_host, _options, done) => done(null, answering(...mixed));
      const fetch = createFetcher({ allow: [`${LOOPBACK}/32:${site.port}`], servicePorts: [], lookup });
      const before = site.counts.get('/ok') ?? 0;
      expect(await codeOf(fetch(`http://mixed.test:${site.port}/ok`))).to.equal('TARGET_NOT_ALLOWED');
      expect(site.counts.get('/ok') ?? 0).to.equal(before);
    }
  });

  it('A4: fetch connects to the address that it checked, and checks again when the name resolves to another address', async () => {
    const inner = await aCanary({ host: OTHER_LOOPBACK, port: site.port });
    let lookups = 0;
    const lookup: ResolveHost = (_host, _options, done) => {
      lookups += 1;
      done(null, answering(lookups % 2 ? LOOPBACK : OTHER_LOOPBACK));
    };
    for (let run = 0; run < 30; run += 1) {
      const fetch = createFetcher({ allow: [`${LOOPBACK}/32:${site.port}`], servicePorts: [], lookup });
      const url = `http://rebound-${run}.test:${site.port}/ok`;
      expect((await fetch(url)).status).to.equal(200);
      expect(await codeOf(fetch(url))).to.equal('TARGET_NOT_ALLOWED');
    }
    expect(lookups).to.equal(60);
    expect(inner.connections()).to.equal(0);
    await inner.close();
  });

  it('the canary (the server that counts connections) counts a connection that FETCH_ALLOW permits', async () => {
    const fetch = createFetcher({ allow: [`127.0.0.0/8:${canary.port}`], servicePorts: [] });
    const before = canary.connections();
    expect((await fetch(`http://${LOOPBACK}:${canary.port}/`)).status).to.equal(200);
    expect(canary.connections()).to.equal(before + 1);
  });

  it("ports of the installation's own services are rejected even if FETCH_ALLOW names them", async () => {
    const page = await aSite({ '/': 'open' });
    const before = canary.connections();
    const entries = [LOOPBACK, '127.0.0.0/8', `${LOOPBACK}:${canary.port}`, `127.0.0.0/8:${canary.port}`, 'localhost'];
    const fetch = createFetcher({ allow: entries, servicePorts: [canary.port] });
    expect((await fetch(page.url('/'))).status).to.equal(200);
    for (const host of [LOOPBACK, 'localhost']) {
      expect(await codeOf(fetch(`http://${host}:${canary.port}/`))).to.equal('TARGET_NOT_ALLOWED');
    }
    expect(canary.connections()).to.equal(before);
    await page.close();
  });

  it("the ports of the installation's own services are read from the settings", async () => {
    const fetch = createFetcher({ allow: [LOOPBACK] });
    for (const port of servicePorts()) {
      if (port !== 0) expect(await codeOf(fetch(`http://${LOOPBACK}:${port}/`))).to.equal('TARGET_NOT_ALLOWED');
    }
    expect(servicePorts()).to.include(Number(new URL(config.REDIS_URL).port || 6379));
    const settings = {
      PORT: 3100,
      MONGODB_URI: 'mongodb://me:pa%2Fss@a.test:27101,b.test,[::1]:27103/chat?replicaSet=rs:0',
      REDIS_URL: 'rediss://:secret@cache.test',
      QDRANT_URL: 'http://vectors.test:7333',
    };
    expect([...servicePorts(settings)]).to.have.members([3100, 27101, 27017, 27103, 6379, 6333, 6334, 7333]);
  });
});

describe('FETCH_ALLOW', () => {
  const isAllowed = (host: string, [address, port]: [address: string, port: number], ...allow: string[]) =>
    mayConnect({ host, address, port }, parseAddressRules({ allow, servicePorts: [6379] }));

  it('public addresses are allowed on ports 80 and 443 only', () => {
    for (const address of ['93.184.216.34', '1.1.1.1', '172.32.0.1', '100.63.255.255', '2606:4700::1111']) {
      expect([80, 443, 22, 8080, 6379].filter((port) => isAllowed('public.test', [address, port]))).to.deep.equal([
        80, 443,
      ]);
    }
  });

  it('private addresses, IPv6 addresses that embed IPv4 addresses, and invalid addresses are not public', () => {
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

  it('an entry of FETCH_ALLOW with a port allows that port only', () => {
    expect(isAllowed('wiki.test', ['10.0.0.5', 8080], '10.0.0.0/8:8080')).to.equal(true);
    expect(isAllowed('wiki.test', ['10.0.0.5', 8081], '10.0.0.0/8:8080')).to.equal(false);
    expect(isAllowed('wiki.test', ['11.0.0.5', 8080], '10.0.0.0/8:8080')).to.equal(false);
    expect(isAllowed('WIKI.test.', ['10.0.0.5', 22], 'wiki.test:22')).to.equal(true);
    expect(isAllowed('other.test', ['10.0.0.5', 22], 'wiki.test:22')).to.equal(false);
  });

  it("an entry of FETCH_ALLOW without a port allows ports 80 and 443, and all ports from 1024 except those of the installation's own services", () => {
    const open = (entry: string) =>
      [22, 80, 443, 1023, 1024, 6379, 65_535].filter((port) => isAllowed('wiki.test', ['10.0.0.5', port], entry));
    for (const entry of ['wiki.test', '10.0.0.5', '10.0.0.0/8']) {
      expect(open(entry)).to.deep.equal([80, 443, 1024, 65_535]);
    }
  });

  it('FETCH_ALLOW accepts IPv6 addresses in brackets, and an IPv4 range does not cover an IPv4-mapped IPv6 address', () => {
    expect(isAllowed('[fd00::5]', ['fd00::5', 8080], '[fd00::/8]:8080')).to.equal(true);
    expect(isAllowed('[fd00::5]', ['fd00::5', 8080], '[fd00::]/8')).to.equal(true);
    expect(isAllowed('[fd00::5]', ['fd00::5', 8080], '[fd00::6]:8080')).to.equal(false);
    expect(isAllowed('x', ['::ffff:127.0.0.1', 8080], '127.0.0.0/8')).to.equal(false);
  });

  it('an invalid entry of FETCH_ALLOW causes an error', () => {
    for (const entry of ['fd00::/8', 'a:b', '10.0.0.0/99', 'host:port:80', '[::1', ':80']) {
      expect(() => parseAddressRules({ allow: [entry], servicePorts: [] }), entry).to.throw();
    }
  });
});
