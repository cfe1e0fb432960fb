/** What sign-in costs others, and what its time tells (attacks A10, A24). */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import { anApiProcess } from '../support/api-process.ts';
import { aPerson, aProject, PASSWORD } from '../support/people.ts';

const SAMPLES = 200;
const AT_ONCE = 50;
const ROUNDS = 5;

const sorted = (times: number[]): number[] => times.toSorted((a, b) => a - b);
const at = (times: number[], share: number): number => sorted(times)[Math.floor(times.length * share)] as number;
const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

const timed = async (work: () => Promise<number>, expected: number): Promise<number> => {
  const begun = performance.now();
  expect(await work()).to.equal(expected);
  return performance.now() - begun;
};

describe('sign-in', function () {
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

  it(`takes as long for an unknown account as for a known one: medians of ${SAMPLES} within 5 % (A24)`, async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const { email } = await aPerson();
      times.known.push(await timed(() => signIn(email, 'wrong'), 401));
      times.unknown.push(await timed(() => signIn(`${randomUUID()}@example.com`, 'wrong'), 401));
    }
    const [known, unknown] = [at(times.known, 0.5), at(times.unknown, 0.5)];
    console.log(`      known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ${load()}`);
    expect(Math.abs(known / unknown - 1)).to.be.lessThan(0.05);
  });

  it(`leaves the p99 of other calls under 100 ms while ${AT_ONCE} sign in at once (A10)`, async () => {
    const { project, agent } = await aProject();
    const people = await Promise.all(Array.from({ length: AT_ONCE }, () => aPerson()));
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
    const p99 = at(times, 0.99);
    console.log(
      `      p99 ${p99.toFixed(1)} ms of ${times.length} calls, median ${at(times, 0.5).toFixed(1)}, ${load()}`,
    );
    expect(p99).to.be.lessThan(100);
  });
});
