/**
 * Points of rate limits, which a process takes from Redis in batches. Points that it has taken but does not use are
 * lost. A11 is an attack of docs/attacks.md.
 */
import { expect } from 'chai';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type BatchingConsumer, createBatchingConsumer } from '#shared/concurrency/batching-consumer.ts';

const MAX_POINTS = 300;
const WINDOW_SECONDS = 60;

/** A store of rate-limit points that counts the calls to it. */
const aCountingStore = (points = MAX_POINTS) => {
  const limiter = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  let calls = 0;
  const consume = limiter.consume.bind(limiter);
  limiter.consume = (...args) => {
    calls += 1;
    return consume(...args);
  };
  return { limiter, callCount: () => calls };
};

const countAccepted = async (calls: Promise<RateLimiterRes>[]): Promise<number> => {
  const results = await Promise.allSettled(calls);
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  for (const refusal of refusals) expect(refusal).to.be.instanceOf(RateLimiterRes);
  return results.length - refusals.length;
};

const createSpend = (store: RateLimiterMemory, points: number): BatchingConsumer['consume'] =>
  createBatchingConsumer(store, { points, seconds: WINDOW_SECONDS }).consume;

const callMany = (spend: BatchingConsumer['consume'], count: number) =>
  Array.from({ length: count }, () => spend('somebody'));

describe('Rate limit batching', () => {
  it('points taken in batches are spent exactly up to the limit, and 100 points take fewer than 30 calls to the store', async () => {
    const { limiter, callCount } = aCountingStore();
    const spend = createSpend(limiter, MAX_POINTS);
    expect(await countAccepted(callMany(spend, 100))).to.equal(100);
    expect(callCount()).to.be.below(30);
    expect(await countAccepted(callMany(spend, 400))).to.equal(MAX_POINTS - 100);
  });

  it('A11: two processes together never exceed a rate limit and leave at most 12 of 300 points unused', async () => {
    const { limiter } = aCountingStore();
    const spends = [1, 2].map(() => createSpend(limiter, MAX_POINTS));
    const accepted = await countAccepted(
      Array.from({ length: 800 }, (_, index) => (spends[index % 2] as BatchingConsumer['consume'])('somebody')),
    );
    expect(accepted).to.be.within(MAX_POINTS - 12, MAX_POINTS);
  });

  it('consuming a point returns the remaining points, which are counted per key', async () => {
    const spend = createSpend(aCountingStore(10).limiter, 10);
    expect((await spend('one')).remainingPoints).to.equal(9);
    expect((await spend('one')).remainingPoints).to.equal(8);
    expect((await spend('two')).remainingPoints).to.equal(9);
  });

  it('a call can consume several points across batches, and is refused if too few points remain', async () => {
    const { limiter } = aCountingStore();
    const spend = createSpend(limiter, MAX_POINTS);
    expect((await spend('somebody', 70)).remainingPoints).to.equal(MAX_POINTS - 70);
    expect(await countAccepted([spend('somebody', MAX_POINTS)])).to.equal(0);
    expect(await countAccepted([spend('other', MAX_POINTS)])).to.equal(1);
  });

  it('the four rate limits of an API call together cost at most one call to the store per six API calls', async () => {
    const limits = [300, 600, 1200, 6000].map((points) => ({ ...aCountingStore(points), points }));
    const spends = limits.map(({ limiter, points }) => createSpend(limiter, points));
    for (let call = 0; call < 240; call += 1) for (const spend of spends) await spend('somebody');
    const storeCalls = limits.reduce((sum, { callCount }) => sum + callCount(), 0);
    expect(storeCalls).to.be.at.most(240 / 6);
  });
});
