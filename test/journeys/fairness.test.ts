import { expect } from 'chai';
import { besideAnImport, handovers, aTown, type Town, withProvider } from '../support/fairness-trials.ts';
import { aProvider } from '../support/fake-openai.ts';

const PATIENCE_MS = 2000;

describe('A project beside others', function () {
  this.timeout(120_000);
  let town: Town;
  let provider: Awaited<ReturnType<typeof aProvider>>;

  before(async () => {
    provider = await aProvider({ dimension: 384 });
    town = await aTown(withProvider(provider));
  });
  after(async () => {
    await town.close();
    await provider.close();
  });

  it('has a page started within a second, even one that is added as the pump ends', async () => {
    const found = await handovers(town, { projects: 4, each: 4 });
    expect(found.filter(({ waited }) => waited > 1000)).to.deep.equal([]);
    expect(found.some(({ after }) => after >= 0)).to.equal(true);
    expect(found.some(({ after }) => after < 0)).to.equal(true);
  });

  it('has its page within 2 s of the usual time while a neighbour imports 1,000, in 8 of 8', async () => {
    const { idle, busy, fetched } = await besideAnImport(town, { pages: 1000, neighbours: 8 });
    expect(busy.filter((ms) => ms <= idle + PATIENCE_MS)).to.have.lengthOf(8);
    expect(fetched).to.be.lessThan(1000);
  });
});
