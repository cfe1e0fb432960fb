import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { aProvider } from '../support/fake-openai.ts';
import { aTown, besideAnImport, handovers, type Town, withProvider } from '../support/fairness-trials.ts';
import { notRun } from '../support/not-run.ts';

const PATIENCE_MS = 2000;
const NEAR_MS = 10;

const rounded = (numbers: number[]): string => numbers.map(Math.round).join(' ');

describe('A project beside others, with the local model', function () {
  this.timeout(600_000);
  let town: Town;

  before(async function () {
    const model = config.EMBEDDING_MODEL_FILE;
    if (!model || model === 'off') return notRun(this, 'no embedding model is here');
    town = await aTown({ EMBEDDING_MODEL_FILE: model });
  });
  after(() => town?.close());

  it('has its page within 2 s of the usual time while a neighbour imports 20,000, in 20 of 20', async () => {
    const { idle, busy, fetched } = await besideAnImport(town, { pages: 20_000, neighbours: 20 });
    console.log(`      usual ${Math.round(idle)} ms, then ${rounded(busy)}; ${fetched} pages fetched meanwhile`);
    expect(busy.filter((ms) => ms <= idle + PATIENCE_MS)).to.have.lengthOf(20);
    expect(fetched).to.be.lessThan(20_000);
  });
});

describe('A page added as the pump ends', function () {
  this.timeout(300_000);

  it('is started within a second, in 400 of 400', async () => {
    const provider = await aProvider({ dimension: 384 });
    const town = await aTown(withProvider(provider));
    const found = await handovers(town, { projects: 4, each: 100 });
    await town.close();
    await provider.close();
    const waits = found.map(({ waited }) => waited);
    const near = found.filter(({ after }) => Math.abs(after) <= NEAR_MS);
    console.log(`      ${near.length} added within ${NEAR_MS} ms of the end; longest wait ${Math.max(...waits)} ms`);
    expect(found).to.have.lengthOf(400);
    expect(found.filter(({ waited }) => waited > 1000)).to.deep.equal([]);
  });
});
