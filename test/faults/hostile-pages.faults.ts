import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { attack, aTrial, closeTrial } from '../support/hostile-trial.ts';
import { expectPunctual, expectUnhurt, told } from '../support/watched.ts';

const COPIES = 20;

describe('Hostile pages and sitemaps, twenty of each (F13, F14, F15)', () => {
  let trial: Awaited<ReturnType<typeof aTrial>> | undefined;

  before(async () => {
    trial = await aTrial({ EMBEDDING_MODEL_FILE: config.EMBEDDING_MODEL_FILE ?? 'off', FETCH_TIMEOUT: '4' });
  });
  after(() => trial && closeTrial(trial));

  it('end in 300 or with a true reason each, and neither hold up nor fill the API and the worker', async () => {
    const { wrong, api, worker, idler } = await attack(trial as NonNullable<typeof trial>, COPIES);
    for (const line of [told('api', api), told('worker', worker), told('idler', idler)]) console.log(`      ${line}`);
    expect(wrong).to.deep.equal([]);
    expectUnhurt('api', api);
    expectUnhurt('worker', worker);
    expectPunctual('api', api, idler);
    expectPunctual('worker', worker, idler);
  });
});
