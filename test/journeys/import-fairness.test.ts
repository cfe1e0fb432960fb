/** F13 is a failure described in docs/failures.md. */
import { expect } from 'chai';
import { aProvider } from '../support/fake-openai.ts';
import {
  anImportFixture,
  type ImportFixture,
  measureHandovers,
  measureNeighbourOfImport,
  providerSettings,
} from '../support/import-fairness-trials.ts';

/** Prevents sweeps during the tests, so that a page whose wake-up is lost is never indexed. */
const NO_SWEEP = { SWEEP_INTERVAL_SECONDS: '600' };

describe('Fairness between imports of several projects', () => {
  let fixture: ImportFixture;
  let provider: Awaited<ReturnType<typeof aProvider>>;

  before(async () => {
    provider = await aProvider({ dimension: 384 });
    fixture = await anImportFixture({ ...providerSettings(provider), ...NO_SWEEP });
  });
  after(async () => {
    await fixture.close();
    await provider.close();
  });

  it('a page that is added shortly before or after the end of an indexing job is indexed without a sweep', async () => {
    const handovers = await measureHandovers(fixture, { projects: 3, pairs: 3 });
    expect(handovers).to.have.lengthOf(9);
    expect(handovers.some(({ afterEndMs }) => afterEndMs >= 0)).to.equal(true);
    expect(handovers.some(({ afterEndMs }) => afterEndMs < 0)).to.equal(true);
  });

  it('F13: three single pages of a project are indexed while another project imports 500 pages', async () => {
    const { busy, fetched } = await measureNeighbourOfImport(fixture, { pages: 500, busyPages: 3 });
    expect(busy).to.have.lengthOf(3);
    expect(fetched).to.be.lessThan(500);
  });
});
