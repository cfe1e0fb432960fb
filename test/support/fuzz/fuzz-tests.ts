/** The tests that send random calls to every endpoint. A1 and A16 are attacks that docs/attacks.md lists. */
import { expect } from 'chai';
import type { Endpoint } from '../../../api/http/endpoint.ts';
import { endpoints } from '../../../api/resources.ts';
import { random } from '../seeded-random.ts';
import { FuzzTrial } from './fuzz-trial.ts';

interface FuzzTestOptions {
  callsPerEndpoint: number;
  /**
   * Every `step`-th endpoint from number `first`, counted from 0, so that a long trial can run in parts. Default: all.
   */
  part?: { first: number; step: number };
  /**
   * Whether each reply is compared with the OpenAPI document and, after the calls to each endpoint, the records of a
   * project that is not the caller's are checked for changes.
   */
  isThorough: boolean;
}

/** The share of endpoints for which at least one random call must succeed, so that handlers are reached. */
const MIN_SUCCEEDED = 0.5;

const endpointsOf = ({ first, step }: { first: number; step: number }): [number, Endpoint][] =>
  [...endpoints.entries()].filter(([index]) => index % step === first);

/** Declares the tests: one for each endpoint, and those that concern all calls together. */
export const declareFuzzTests = ({ callsPerEndpoint, isThorough, part }: FuzzTestOptions): void => {
  const tested = endpointsOf(part ?? { first: 0, step: 1 });
  let trial: FuzzTrial;

  before(async () => {
    trial = await FuzzTrial.create({ seed: Math.floor(random() * 2 ** 31), checkOpenapi: isThorough });
  });

  for (const [index, endpoint] of tested)
    it(`${endpoint.method.toUpperCase()} ${endpoint.path} answers random calls without a server error, a hang or a leak`, async () => {
      const problems = await trial.run(endpoint, index, callsPerEndpoint);
      if (isThorough) problems.push(...(await trial.foreignChanges()));
      expect(problems.join('\n')).to.equal('');
    });

  it('A1: random calls in a project change no record of another project', async () => {
    expect(await trial.foreignChanges()).to.deep.equal([]);
  });

  it('A16: random calls with prototype keys leave Object.prototype unchanged', () => {
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });

  it('random calls reach handlers: at least one call succeeds for at least half of the endpoints', () => {
    const { calls, byClass, succeeded } = trial.totals;
    console.log(`      ${calls} calls, by first digit of the status: ${JSON.stringify(byClass)}`);
    expect(calls).to.equal(tested.length * callsPerEndpoint);
    expect(succeeded.size).to.be.at.least(tested.length * MIN_SUCCEEDED);
  });
};
