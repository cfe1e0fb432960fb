import { expect } from 'chai';
import { createPacer } from '../../api/http/auth/count-calls.ts';

describe('Pacer of a rate limit', () => {
  const MINUTE_MS = 60_000;
  let now = 1_000_000;
  const aPacer = (points = 1200) => createPacer({ points, seconds: 60, burst: 60 }, () => now);
  const waits = (take: ReturnType<typeof aPacer>, count: number) => Array.from({ length: count }, () => take('one', 1));

  it('of 1,200 points per minute, the first 60 (the burst) can be used immediately, and the others evenly over the minute', () => {
    const all = waits(aPacer(), 1200);
    expect(all.filter((wait) => wait === 0)).to.have.length(60);
    for (const [index, wait] of all.slice(60).entries()) expect(wait).to.be.closeTo(50 * (index + 1), 0.001);
    expect(Math.max(...all)).to.be.below(MINUTE_MS);
  });

  it('each key (a visitor or a network) has its own pace, and unused points accumulate up to the burst', () => {
    const take = aPacer();
    waits(take, 400);
    expect(take('other', 1)).to.equal(0);
    now += 10 * MINUTE_MS;
    expect(waits(take, 300).filter((wait) => wait === 0)).to.have.length(60);
  });

  it('a call can take several points, and a limit that does not exceed the burst is not spread over the minute', () => {
    const take = aPacer();
    expect(take('one', 50)).to.equal(0);
    expect(take('one', 100)).to.equal(90 * 50);
    expect(Math.max(...waits(aPacer(60), 60))).to.equal(0);
  });
});
