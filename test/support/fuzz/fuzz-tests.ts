/** The tests that send random calls to every endpoint. */
import { expect } from 'chai';
import { endpoints } from '../../../api/resources.ts';
import { random } from '../seeded-random.ts';
import { FuzzTrial } from './fuzz-trial.ts';

interface FuzzTestOptions {
  callsPerEndpoint: number;
  /** Whether the documents of the API and the other project's records are compared after every endpoint. */
  isThorough: boolean;
}

/** The share of endpoints of which at least one random call must succeed, so that handlers are reached. */
const MIN_SUCCEEDED = 0.5;

/** Declares the tests: one for each endpoint, and those of all calls together. */
export const declareFuzzTests = ({ callsPerEndpoint, isThorough }: FuzzTestOptions): void => {
  let trial: FuzzTrial;

  before(async () => {
    trial = await FuzzTrial.create({ seed: Math.floor(random() * 2 ** 31), checkOpenapi: isThorough });
  });

  for (const [index, endpoint] of endpoints.entries())
    it(`${endpoint.method.toUpperCase()} ${endpoint.path} answers random calls without a server error, a hang or a leak`, async () => {
      const problems = await trial.run(endpoint, index, callsPerEndpoint);
      if (isThorough) problems.push(...(await trial.foreignChanges()));
      expect(problems.join('\n')).to.equal('');
    });

  it('A1: random calls of a project change no record of another project', async () => {
    expect(await trial.foreignChanges()).to.deep.equal([]);
  });

  it('A16: random calls with prototype keys leave Object.prototype unchanged', () => {
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
  });

  it('random calls reach handlers: calls to most endpoints succeed', () => {
    const { calls, byClass, succeeded } = trial.totals;
    console.log(`      ${calls} calls, by class of status ${JSON.stringify(byClass)}`);
    expect(calls).to.equal(endpoints.length * callsPerEndpoint);
    expect(succeeded.size).to.be.at.least(endpoints.length * MIN_SUCCEEDED);
  });
};
