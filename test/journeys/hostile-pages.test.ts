import { expect } from 'chai';
import { aProvider } from '../support/fake-openai.ts';
import { attack, aTrial, closeTrial } from '../support/hostile-trial.ts';
import { expectUnhurt } from '../support/watched.ts';

const DIMENSION = 384;

describe('Hostile pages and sitemaps (F13, F14, F15)', function () {
  this.timeout(90_000);
  let trial: Awaited<ReturnType<typeof aTrial>> | undefined;
  let provider: Awaited<ReturnType<typeof aProvider>>;

  before(async () => {
    provider = await aProvider({ dimension: DIMENSION });
    trial = await aTrial({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'none',
      EMBEDDING_MODEL: 'fake',
      EMBEDDING_DIMENSION: String(DIMENSION),
    });
  });
  after(async () => {
    if (trial) await closeTrial(trial);
    await provider.close();
  });

  it('end in 300 or with a true reason each, and neither hold up nor fill the API and the worker', async () => {
    const { wrong, api, worker } = await attack(trial as NonNullable<typeof trial>);
    expect(wrong).to.deep.equal([]);
    expectUnhurt('api', api);
    expectUnhurt('worker', worker);
  });
});
