/** F14 is a failure described in docs/failures.md. */
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { aHostileTrial, closeHostileTrial, runHostileTrial } from '../support/hostile-page-trials.ts';
import {
  anIdleProcess,
  describeReading,
  expectDelayWithinLimit,
  expectWithinLimits,
  startWatch,
} from '../support/loop-lag.ts';

const COPIES = 20;

describe('Hostile pages and sitemaps, twenty of each', () => {
  let trial: Awaited<ReturnType<typeof aHostileTrial>> | undefined;

  before(async () => {
    trial = await aHostileTrial({
      EMBEDDING_MODEL_FILE: config.EMBEDDING_MODEL_FILE ?? 'off',
      FETCH_TIMEOUT_SECONDS: '4',
    });
  });
  after(() => trial && closeHostileTrial(trial));

  it('F14: hostile pages are indexed or fail with the correct reason, and neither block nor exhaust the API and the worker', async () => {
    const idleProcess = await anIdleProcess();
    const endWatch = await startWatch(idleProcess);
    const { wrong, api, worker } = await runHostileTrial(trial as NonNullable<typeof trial>, COPIES);
    const idle = await endWatch();
    await idleProcess.close();
    for (const line of [
      describeReading('api', api),
      describeReading('worker', worker),
      describeReading('idle process', idle),
    ])
      console.log(`      ${line}`);
    expect(wrong).to.deep.equal([]);
    expectWithinLimits('api', api);
    expectWithinLimits('worker', worker);
    expectDelayWithinLimit('api', api, idle);
    expectDelayWithinLimit('worker', worker, idle);
  });
});
