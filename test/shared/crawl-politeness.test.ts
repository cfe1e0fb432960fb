/**
 * A permit allows one request to a host. The limiter refuses it if as many requests as allowed are running, during the
 * crawl delay (the minimum time between the starts of two requests), and while the host is paused, as after HTTP 429.
 */
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { ulid } from 'ulid';
import { config } from '#shared/config.ts';
import { createHostRateLimiter, type HostPermit } from '#shared/crawl/host-rate-limiter.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('Host rate limiter', () => {
  let redis: Redis;
  let other: Redis;

  before(() => {
    redis = new Redis(config.REDIS_URL);
    other = new Redis(config.REDIS_URL);
  });
  after(() => Promise.all([redis.quit(), other.quit()]));

  const aHost = () => `${ulid().toLowerCase()}.test`;
  const grantedPermits = (permits: HostPermit[]) => permits.filter((permit) => permit.granted);
  const slotsOf = (host: string) => `${config.QUEUE_PREFIX}:crawl-host:{${host}}:slots`;

  it('all workers together hold at most the allowed number of permits for a host, and releasing a permit twice frees only one', async () => {
    const workers = [
      createHostRateLimiter(redis, { concurrency: 3 }),
      createHostRateLimiter(other, { concurrency: 3 }),
    ];
    const host = aHost();
    const permits = await Promise.all([...workers, ...workers, ...workers].map((worker) => worker.acquire(host)));
    const held = grantedPermits(permits);
    expect(held).to.have.length(3);
    expect(permits.filter((permit) => !permit.granted && permit.retryInMs > 0)).to.have.length(3);
    await held[0]?.release();
    await held[0]?.release();
    expect(grantedPermits(await Promise.all(workers.map((worker) => worker.acquire(host))))).to.have.length(1);
  });

  it('the permits for one host do not delay those for another', async () => {
    const rateLimiter = createHostRateLimiter(redis, { concurrency: 1 });
    const permits = await Promise.all([aHost(), aHost()].map((host) => rateLimiter.acquire(host, { delayMs: 5_000 })));
    expect(grantedPermits(permits)).to.have.length(2);
  });

  it('during the crawl delay, a permit is refused and the remaining time is returned', async () => {
    const rateLimiter = createHostRateLimiter(redis);
    const host = aHost();
    const [first] = grantedPermits([await rateLimiter.acquire(host, { delayMs: 30_000 })]);
    await first?.release();
    const second = await rateLimiter.acquire(host, { delayMs: 30_000 });
    expect(second).to.have.property('retryInMs').within(25_000, 30_000);
  });

  it('the permit of a killed worker is released when its lease expires', async () => {
    const rateLimiter = createHostRateLimiter(redis, { concurrency: 1, leaseMs: 60 });
    const host = aHost();
    expect(await rateLimiter.acquire(host)).to.include({ granted: true });
    expect(await rateLimiter.acquire(host)).to.include({ granted: false });
    await waitUntil(async () => (await rateLimiter.acquire(host)).granted);
  });

  it('an expired permit is released while other workers keep theirs', async () => {
    const [doomed, steady] = [60, 60_000].map((leaseMs) => createHostRateLimiter(redis, { concurrency: 2, leaseMs }));
    const host = aHost();
    await steady?.acquire(host);
    await doomed?.acquire(host);
    await waitUntil(async () => (await steady?.acquire(host))?.granted === true);
    expect(await steady?.acquire(host)).to.include({ granted: false });
  });

  it('permits are granted again after Redis has lost its data', async () => {
    const rateLimiter = createHostRateLimiter(redis, { concurrency: 1 });
    const host = aHost();
    const [held] = grantedPermits([await rateLimiter.acquire(host)]);
    await redis.del(slotsOf(host));
    const [next] = grantedPermits([await rateLimiter.acquire(host)]);
    await held?.release();
    expect(await rateLimiter.acquire(host)).to.include({ granted: false });
    await next?.release();
    expect(await redis.exists(slotsOf(host))).to.equal(0);
  });

  it('a later, shorter pause does not shorten the pause of a host', async () => {
    const rateLimiter = createHostRateLimiter(redis);
    const host = aHost();
    await rateLimiter.pause(host, 20_000, 'HTTP_429');
    await rateLimiter.pause(host, 10, 'HTTP_429');
    expect(await createHostRateLimiter(other).acquire(host))
      .to.have.property('retryInMs')
      .within(15_000, 20_000);
  });

  it('all keys of the rate limiter in Redis expire', async () => {
    const rateLimiter = createHostRateLimiter(redis);
    const host = aHost();
    await rateLimiter.acquire(host, { delayMs: 1_000 });
    const keys = await redis.keys(`${config.QUEUE_PREFIX}:crawl-host:{${host}}:*`);
    expect(keys).to.have.length(2);
    for (const key of keys) expect(await redis.pttl(key)).to.be.above(0);
  });
});
