/** F14 is a failure described in docs/failures.md. */
import { expect } from 'chai';
import { aProvider } from '../support/fake-openai.ts';
import { aHostileTrial, closeHostileTrial, runHostileTrial } from '../support/hostile-page-trials.ts';
import { expectWithinLimits } from '../support/loop-lag.ts';

const DIMENSION = 384;

describe('Hostile pages and sitemaps', function hostilePages() {
  this.timeout(300_000);
  let trial: Awaited<ReturnType<typeof aHostileTrial>> | undefined;
  let provider: Awaited<ReturnType<typeof aProvider>>;

  before(async () => {
    provider = await aProvider({ dimension: DIMENSION });
    trial = await aHostileTrial({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'none',
      EMBEDDING_MODEL: 'fake',
      EMBEDDING_DIMENSION: String(DIMENSION),
    });
  });
  after(async () => {
    if (trial) await closeHostileTrial(trial);
    await provider.close();
  });

  it('F14: hostile pages and sitemaps are indexed or fail with the correct reason, within the time and memory limits of the API and the worker', async () => {
    const { wrong, api, worker } = await runHostileTrial(trial as NonNullable<typeof trial>);
    expect(wrong).to.deep.equal([]);
    expectWithinLimits('api', api);
    expectWithinLimits('worker', worker);
  });
});
