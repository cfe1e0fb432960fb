import { expect } from 'chai';
import { Redis } from 'ioredis';
import { ulid } from 'ulid';
import { config } from '#shared/config.ts';
import { createPoliteness, type Turn } from '../../shared/crawl/politeness.ts';
import { until } from '../support/until.ts';

describe('politeness to a host', () => {
  let redis: Redis;
  let other: Redis;

  before(() => {
    redis = new Redis(config.REDIS_URL);
    other = new Redis(config.REDIS_URL);
  });
  after(() => Promise.all([redis.quit(), other.quit()]));

  const aHost = () => `${ulid().toLowerCase()}.test`;
  const granted = (turns: Turn[]) => turns.filter((turn) => turn.granted);
  const slotsOf = (host: string) => `${config.QUEUE_PREFIX}:polite:{${host}}:slots`;

  it('gives out so many turns over all workers, and the next when one is given back', async () => {
    const workers = [createPoliteness(redis, { concurrency: 3 }), createPoliteness(other, { concurrency: 3 })];
    const host = aHost();
    const turns = await Promise.all([...workers, ...workers, ...workers].map((worker) => worker.acquire(host)));
    const held = granted(turns);
    expect(held).to.have.length(3);
    expect(turns.filter((turn) => !turn.granted && turn.retryInMs > 0)).to.have.length(3);
    await held[0]?.release();
    await held[0]?.release();
    expect(granted(await Promise.all(workers.map((worker) => worker.acquire(host))))).to.have.length(1);
  });

  it('does not let one host wait for another', async () => {
    const politeness = createPoliteness(redis, { concurrency: 1 });
    const turns = await Promise.all([aHost(), aHost()].map((host) => politeness.acquire(host, { delayMs: 5_000 })));
    expect(granted(turns)).to.have.length(2);
  });

  it('keeps the delay between two starts, and tells how long it still is', async () => {
    const politeness = createPoliteness(redis);
    const host = aHost();
    const [first] = granted([await politeness.acquire(host, { delayMs: 30_000 })]);
    await first?.release();
    const second = await politeness.acquire(host, { delayMs: 30_000 });
    expect(second).to.have.property('retryInMs').within(25_000, 30_000);
  });

  it('frees the turn of a killed worker when its lease is over', async () => {
    const politeness = createPoliteness(redis, { concurrency: 1, leaseMs: 60 });
    const host = aHost();
    expect(await politeness.acquire(host)).to.include({ granted: true });
    expect(await politeness.acquire(host)).to.include({ granted: false });
    await until(async () => (await politeness.acquire(host)).granted);
  });

  it('frees it also while others are at the host, and keeps theirs', async () => {
    const [doomed, steady] = [60, 60_000].map((leaseMs) => createPoliteness(redis, { concurrency: 2, leaseMs }));
    const host = aHost();
    await steady?.acquire(host);
    await doomed?.acquire(host);
    await until(async () => (await steady?.acquire(host))?.granted === true);
    expect(await steady?.acquire(host)).to.include({ granted: false });
  });

  it('goes on after Redis has forgotten everything', async () => {
    const politeness = createPoliteness(redis, { concurrency: 1 });
    const host = aHost();
    const [held] = granted([await politeness.acquire(host)]);
    await redis.del(slotsOf(host));
    const [next] = granted([await politeness.acquire(host)]);
    await held?.release();
    expect(await politeness.acquire(host)).to.include({ granted: false });
    await next?.release();
    expect(await redis.exists(slotsOf(host))).to.equal(0);
  });

  it('stays away from a host as long as it asked, and never for less than before', async () => {
    const politeness = createPoliteness(redis);
    const host = aHost();
    await politeness.pause(host, 20_000, 'HTTP_429');
    await politeness.pause(host, 10, 'HTTP_429');
    expect(await createPoliteness(other).acquire(host))
      .to.have.property('retryInMs')
      .within(15_000, 20_000);
  });

  it('leaves nothing in Redis for good', async () => {
    const politeness = createPoliteness(redis);
    const host = aHost();
    await politeness.acquire(host, { delayMs: 1_000 });
    const keys = await redis.keys(`${config.QUEUE_PREFIX}:polite:{${host}}:*`);
    expect(keys).to.have.length(2);
    for (const key of keys) expect(await redis.pttl(key)).to.be.above(0);
  });
});
