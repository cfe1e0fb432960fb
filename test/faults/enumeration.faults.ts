/**
 * Checks whether response times reveal that an account exists (A24 in docs/attacks.md). `FAULT_SAMPLES` is the number
 * of calls of each kind.
 */
import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { expect } from 'chai';
import { anApiServer, call } from '../support/api.ts';
import { aPerson } from '../support/people.ts';

const SAMPLES = Number(process.env.FAULT_SAMPLES ?? 200);
const WARM_UP_SAMPLES = 20;
/** The largest allowed difference between the median durations, as a share of the smaller median. */
const MAX_DIFFERENCE = 0.05;

const basicAuth = (email: string) => `Basic ${Buffer.from(`${email}:wrong password`).toString('base64')}`;

/** Anonymous calls that name an account: method, path, and body or header for an email address. */
const CALLS = {
  'a sign-in with a wrong password': [
    'POST',
    '/v3/auth/signin',
    (email: string) => ({ body: { email, password: 'wrong password' } }),
  ],
  'Basic authentication': [
    'GET',
    '/v3/projects',
    (email: string) => ({ headers: { authorization: basicAuth(email) } }),
  ],
  'a request for a password reset': ['PUT', '/v3/auth/requestresetpsw', (email: string) => ({ body: { email } })],
} as const;

const medianOf = (times: number[]): number => times.toSorted((one, other) => one - other)[times.length >> 1] as number;

describe('Enumeration of accounts by response time', function slow() {
  this.timeout(600_000);
  let server: string;
  const known: string[] = [];
  let addresses = 0;

  before(async () => {
    server = await anApiServer({ TRUST_PROXY: true });
    for (let index = 0; index < SAMPLES + WARM_UP_SAMPLES; index += 1) known.push((await aPerson()).email);
  });

  /**
   * Makes a call, each time from a different network, so that no limit is reached. Returns the duration of the call in
   * milliseconds, and its answer.
   */
  const measure = async ([method, path, inputFor]: (typeof CALLS)[keyof typeof CALLS], email: string) => {
    addresses += 1;
    const { body, headers } = { body: undefined, headers: {}, ...inputFor(email) };
    const network = `2001:db8:${(addresses >> 16).toString(16)}:${(addresses & 0xffff).toString(16)}::1`;
    const started = performance.now();
    const reply = await call(method, `${server}${path}`, { body, headers: { ...headers, 'x-forwarded-for': network } });
    return { ms: performance.now() - started, answer: `${reply.status} ${reply.text}` };
  };

  for (const [name, options] of Object.entries(CALLS))
    it(`A24: ${name} takes the same time and gets the same answer for known and unknown accounts`, async () => {
      const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
      const answers = new Set<string>();
      for (const [index, email] of known.entries()) {
        const pair = [
          ['known', email],
          ['unknown', `${randomUUID()}@example.com`],
        ] as const;
        // The order alternates, because the first call of a pair may fill caches that speed up the second one.
        for (const [kind, address] of index % 2 ? pair : pair.toReversed()) {
          const { ms, answer } = await measure(options, address);
          answers.add(answer);
          if (index >= WARM_UP_SAMPLES) times[kind].push(ms);
        }
      }
      const [one, other] = [medianOf(times.known), medianOf(times.unknown)];
      const difference = Math.abs(one - other) / Math.min(one, other);
      console.log(
        `      medians of ${SAMPLES} calls each: known accounts ${one.toFixed(2)} ms, unknown accounts ${other.toFixed(2)} ms, difference ${(difference * 100).toFixed(1)}%; load ${loadavg()[0]?.toFixed(1)}`,
      );
      expect([...answers]).to.have.length(1);
      expect(difference).to.be.at.most(MAX_DIFFERENCE);
    });
});
