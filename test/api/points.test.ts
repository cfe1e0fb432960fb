import { expect } from 'chai';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Spend, spender } from '../../api/http/points.ts';

const POINTS = 300;
const SECONDS = 60;

/** A store that counts how often it is asked. */
const aStore = (points = POINTS) => {
  const limiter = new RateLimiterMemory({ points, duration: SECONDS });
  let asked = 0;
  const consume = limiter.consume.bind(limiter);
  limiter.consume = (...args) => {
    asked += 1;
    return consume(...args);
  };
  return { limiter, asked: () => asked };
};

const accepted = async (calls: Promise<RateLimiterRes>[]): Promise<number> => {
  const results = await Promise.allSettled(calls);
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  for (const refusal of refusals) expect(refusal).to.be.instanceOf(RateLimiterRes);
  return results.length - refusals.length;
};

const calls = (spend: Spend, count: number) => Array.from({ length: count }, () => spend('somebody'));

describe('The points of a limit (A11)', () => {
  it('are spent to the last one and no further, with few questions to the store', async () => {
    const { limiter, asked } = aStore();
    const spend = spender(limiter, { points: POINTS, seconds: SECONDS });
    expect(await accepted(calls(spend, 100))).to.equal(100);
    expect(asked()).to.be.below(30);
    expect(await accepted(calls(spend, 400))).to.equal(POINTS - 100);
  });

  it('are shared by two processes: never more than there are, and hardly fewer', async () => {
    const { limiter } = aStore();
    const spends = [1, 2].map(() => spender(limiter, { points: POINTS, seconds: SECONDS }));
    const all = await accepted(Array.from({ length: 800 }, (_, at) => (spends[at % 2] as Spend)('somebody')));
    expect(all).to.be.within(POINTS - 12, POINTS);
  });

  it('are told with what is left, and counted for each key apart', async () => {
    const spend = spender(aStore(10).limiter, { points: 10, seconds: SECONDS });
    expect((await spend('one')).remainingPoints).to.equal(9);
    expect((await spend('one')).remainingPoints).to.equal(8);
    expect((await spend('two')).remainingPoints).to.equal(9);
  });

  it('of the four budgets of a call together need fewer questions to the store than one in six calls', async () => {
    const budgets = [300, 600, 1200, 6000].map((points) => ({ ...aStore(points), points }));
    const spends = budgets.map(({ limiter, points }) => spender(limiter, { points, seconds: SECONDS }));
    for (let call = 0; call < 240; call += 1) for (const spend of spends) await spend('somebody');
    const questions = budgets.reduce((sum, { asked }) => sum + asked(), 0);
    expect(questions).to.be.at.most(240 / 6);
  });
});
