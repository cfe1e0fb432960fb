/**
 * Measures the effect of sign-ins on other calls, and whether the duration of a sign-in reveals that an account exists.
 */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { request } from 'undici';
import { anApiProcess } from '../support/api-process.ts';
import { aPerson, aProject, PASSWORD } from '../support/people.ts';

const SAMPLES = 200;
const PARALLEL_SIGN_INS = 50;
const ROUNDS = 5;

const sorted = (times: number[]): number[] => times.toSorted((a, b) => a - b);
const percentile = (times: number[], share: number): number =>
  sorted(times)[Math.floor(times.length * share)] as number;
const loadText = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

const timed = async (work: () => Promise<number>, expected: number): Promise<number> => {
  const startedAt = performance.now();
  expect(await work()).to.equal(expected);
  return performance.now() - startedAt;
};

describe('Sign-in benchmark', function () {
  this.timeout(120_000);
  let server: Awaited<ReturnType<typeof anApiProcess>>;

  before(async () => {
    server = await anApiProcess({ NODE_ENV: 'production' });
  });
  after(() => server.stop('SIGKILL'));

  const signIn = async (email: string, password: string): Promise<number> => {
    const { statusCode, body } = await request(`${server.url}/v3/auth/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    await body.dump();
    return statusCode;
  };

  it(`sign-in takes as long for an unknown account as for a known one: the medians of ${SAMPLES} sign-ins differ by less than 5%`, async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const { email } = await aPerson();
      times.known.push(await timed(() => signIn(email, 'wrong'), 401));
      times.unknown.push(await timed(() => signIn(`${randomUUID()}@example.com`, 'wrong'), 401));
    }
    const [known, unknown] = [percentile(times.known, 0.5), percentile(times.unknown, 0.5)];
    console.log(
      `      median for a known account ${known.toFixed(2)} ms, for an unknown one ${unknown.toFixed(2)} ms, ${loadText()}`,
    );
    expect(Math.abs(known / unknown - 1)).to.be.lessThan(0.05);
  });

  it(`the p99 of other calls stays under 100 ms during ${PARALLEL_SIGN_INS} concurrent sign-ins`, async () => {
    const { project, agent } = await aProject();
    const people = await Promise.all(Array.from({ length: PARALLEL_SIGN_INS }, () => aPerson()));
    const times: number[] = [];
    const read = async () => {
      const { statusCode, body } = await request(`${server.url}/v3/projects/${project.id}`, {
        headers: { authorization: agent.authorization },
      });
      await body.dump();
      return statusCode;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      let isOver = false;
      const all = Promise.all(people.map(({ email }) => signIn(email, PASSWORD))).finally(() => {
        isOver = true;
      });
      while (!isOver) times.push(await timed(read, 200));
      expect(new Set(await all)).to.deep.equal(new Set([200]));
    }
    const p99 = percentile(times, 0.99);
    console.log(
      `      p99 ${p99.toFixed(1)} ms of ${times.length} calls, median ${percentile(times, 0.5).toFixed(1)} ms, ${loadText()}`,
    );
    expect(p99).to.be.lessThan(100);
  });
});
