import { expect } from 'chai';
import { createPacer } from '../../api/http/limits/pacer.ts';

describe('Pacer of a rate limit', () => {
  const MINUTE_MS = 60_000;
  let now = 1_000_000;
  const aPacer = (points: number) => createPacer({ points, seconds: 60 }, () => now);
  const waits = (take: ReturnType<typeof aPacer>, count: number) => Array.from({ length: count }, () => take('one', 1));

  it('a sixth of the points may be used at once, and the others evenly over the minute', () => {
    const take = aPacer(1200);
    const all = waits(take, 1200);
    expect(all.filter((wait) => wait === 0)).to.have.length(200);
    expect(all.slice(200).map((wait, index) => Math.round(wait - 50 * (index + 1)))).to.satisfy((rest: number[]) =>
      rest.every((difference) => difference === 0),
    );
    expect(Math.max(...all)).to.be.below(MINUTE_MS);
  });

  it('each key has its own pace, and unused time gives points back up to a sixth', () => {
    const take = aPacer(1200);
    waits(take, 400);
    expect(take('other', 1)).to.equal(0);
    now += 10 * MINUTE_MS;
    expect(waits(take, 300).filter((wait) => wait === 0)).to.have.length(200);
  });

  it('several points are taken at once, and a limit of at most 60 points is not spread', () => {
    const take = aPacer(1200);
    expect(take('one', 180)).to.equal(0);
    expect(take('one', 100)).to.equal(80 * 50);
    expect(Math.max(...waits(aPacer(60), 60))).to.equal(0);
  });
});
