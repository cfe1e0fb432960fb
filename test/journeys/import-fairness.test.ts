import { expect } from 'chai';
import { aProvider } from '../support/fake-openai.ts';
import {
  anImportFixture,
  type ImportFixture,
  measureHandovers,
  measureNeighbourOfImport,
  providerSettings,
} from '../support/import-fairness-trials.ts';

const MAX_DELAY_MS = 2000;

describe('Fairness between imports of several projects', () => {
  let fixture: ImportFixture;
  let provider: Awaited<ReturnType<typeof aProvider>>;

  before(async () => {
    provider = await aProvider({ dimension: 384 });
    fixture = await anImportFixture(providerSettings(provider));
  });
  after(async () => {
    await fixture.close();
    await provider.close();
  });

  it('indexing of a page starts within a second, even if the page is added while the indexing job ends', async () => {
    const handovers = await measureHandovers(fixture, { projects: 4, each: 4 });
    expect(handovers.filter(({ waitedMs }) => waitedMs > 1000)).to.deep.equal([]);
    expect(handovers.some(({ afterEndMs }) => afterEndMs >= 0)).to.equal(true);
    expect(handovers.some(({ afterEndMs }) => afterEndMs < 0)).to.equal(true);
  });

  it('each of 8 single pages is indexed within 2 s of the usual time while another project imports 1,000 pages', async () => {
    const { idle, busy, fetched } = await measureNeighbourOfImport(fixture, { pages: 1000, neighbours: 8 });
    expect(busy.filter((ms) => ms <= idle + MAX_DELAY_MS)).to.have.lengthOf(8);
    expect(fetched).to.be.lessThan(1000);
  });
});
