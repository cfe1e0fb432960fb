/** F13 is a failure described in docs/failures.md. */
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { aProvider } from '../support/fake-openai.ts';
import {
  anImportFixture,
  type ImportFixture,
  measureHandovers,
  measureNeighbourOfImport,
  providerSettings,
} from '../support/import-fairness-trials.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

const PATIENCE_MS = 2000;
const MAX_HANDOVER_MS = 10;

const rounded = (numbers: number[]): string => numbers.map(Math.round).join(' ');

describe('Import fairness with the local model', function () {
  this.timeout(600_000);
  let fixture: ImportFixture;

  before(async function () {
    const model = config.EMBEDDING_MODEL_FILE;
    if (!model || model === 'off') return skipWithReason(this, 'no embedding model is installed');
    fixture = await anImportFixture({ EMBEDDING_MODEL_FILE: model });
  });
  after(() => fixture?.close());

  it('F13: indexing a page takes at most 2 s longer than usual while another project imports 20,000 pages, in 20 of 20 trials', async () => {
    const trial = { pages: 20_000, idlePages: 5, busyPages: 20 };
    const { idle, busy, fetched } = await measureNeighbourOfImport(fixture, trial);
    console.log(
      `      indexing a page: usually ${Math.round(idle)} ms, during the import ${rounded(busy)} ms; the import fetched ${fetched} pages`,
    );
    expect(busy.filter((ms) => ms <= idle + PATIENCE_MS)).to.have.lengthOf(20);
    expect(fetched).to.be.lessThan(20_000);
  });
});

describe('A page added while an indexing job ends', function () {
  this.timeout(300_000);

  it('when a page is added while an indexing job ends, its indexing starts within a second, in 400 of 400 trials', async () => {
    const provider = await aProvider({ dimension: 384 });
    const fixture = await anImportFixture(providerSettings(provider));
    const handovers = await measureHandovers(fixture, { projects: 4, pairs: 100 });
    await fixture.close();
    await provider.close();
    const waits = handovers.map(({ waitedMs: waited }) => waited);
    const near = handovers.filter(({ afterEndMs: after }) => Math.abs(after) <= MAX_HANDOVER_MS);
    console.log(
      `      ${near.length} pages added within ${MAX_HANDOVER_MS} ms of the end of a job; longest wait for indexing ${Math.max(...waits)} ms`,
    );
    expect(handovers).to.have.lengthOf(400);
    expect(handovers.filter(({ waitedMs: waited }) => waited > 1000)).to.deep.equal([]);
  });
});
