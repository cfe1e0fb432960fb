/** F17 is a failure described in docs/failures.md. */
import { expect } from 'chai';
import { retryDelaySeconds } from '#shared/ai/retry.ts';

describe('Retry delay of model calls', () => {
  it('the retry delay equals the Retry-After of the provider, up to the maximum', () => {
    expect(retryDelaySeconds(1, { retryAfterSeconds: 2 }, 10)).to.equal(2);
    expect(retryDelaySeconds(1, { retryAfterSeconds: 0 }, 10)).to.equal(0);
    expect(retryDelaySeconds(2, { retryAfterSeconds: 3600 }, 10)).to.equal(10);
  });

  it('F17: when the provider sends no Retry-After, the retry delay is random and grows with each attempt, up to the maximum', () => {
    const waits = (call: number) => Array.from({ length: 20 }, () => retryDelaySeconds(call, {}, 10));
    for (const wait of waits(1)) expect(wait).to.be.within(0.25, 0.75);
    for (const wait of waits(2)) expect(wait).to.be.within(0.5, 1.5);
    expect(new Set(waits(1)).size).to.be.above(1);
    expect(retryDelaySeconds(9, {}, 10)).to.equal(10);
  });
});
