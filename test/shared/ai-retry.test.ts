import { expect } from 'chai';
import { waitAfter } from '#shared/ai/retry.ts';

describe('The wait before a retry', () => {
  it('is what the provider asks for, up to the cap', () => {
    expect(waitAfter(1, { retryAfter: 2 }, 10)).to.equal(2);
    expect(waitAfter(1, { retryAfter: 0 }, 10)).to.equal(0);
    expect(waitAfter(2, { retryAfter: 3600 }, 10)).to.equal(10);
  });

  it('grows with each call where the provider asks for nothing, and differs from caller to caller', () => {
    const waits = (call: number) => Array.from({ length: 20 }, () => waitAfter(call, {}, 10));
    for (const wait of waits(1)) expect(wait).to.be.within(0.25, 0.75);
    for (const wait of waits(2)) expect(wait).to.be.within(0.5, 1.5);
    expect(new Set(waits(1)).size).to.be.above(1);
    expect(waitAfter(9, {}, 10)).to.equal(10);
  });
});
