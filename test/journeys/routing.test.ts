import { expect } from 'chai';
import { tryRouting, tryShares } from '../support/routing-trial.ts';

describe('Routing, whatever happens at once', function () {
  this.timeout(60_000);

  it('keeps its promises in 200 sequences by two processes', async () => {
    const tried = await tryRouting({ runs: 200, commands: 8 });
    expect(tried.sequences).to.equal(200);
    expect(tried.assigned).to.be.greaterThan(200);
  });

  it('gives each group its share, off by less than the number of groups after any number of conversations', async () => {
    expect(await tryShares({ runs: 20 })).to.be.greaterThan(100);
  });
});
