/** Protection against guessing passwords. A10 and A24 are attacks described in docs/attacks.md. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { anApiServer, call } from '../support/api.ts';
import { aPerson, PASSWORD } from '../support/people.ts';

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const countFailures = (statuses: number[]): Record<number, number> =>
  Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((each) => each === status).length]),
  );

describe('Login throttle', () => {
  let server: string;

  before(async () => {
    server = await anApiServer({ TRUST_PROXY: true });
  });

  const signIn = (email: string, password: string, address: string) =>
    call('POST', `${server}/v3/auth/signin`, {
      body: { email, password },
      headers: { 'x-forwarded-for': address },
    });
  const withBasicAuth = (email: string, password: string, address: string) =>
    call('GET', `${server}/v3/projects`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
        'x-forwarded-for': address,
      },
    });

  it('A10: ten wrong passwords from one address, even in concurrent calls, lock that address out of the account, and another address can still sign in', async () => {
    const { email } = await aPerson();
    const wrong = await times(20, (index) => signIn(email, `wrong ${index}`, '192.0.2.1'));
    expect(countFailures(wrong.map(({ status }) => status))).to.deep.equal({ 401: 10, 429: 10 });
    const refused = wrong.find(({ status }) => status === 429);
    expect(refused?.body).to.include({ success: false, code: 'RATE_LIMITED' });
    expect(Number(refused?.headers['retry-after'])).to.be.within(1, 900);
    expect((await signIn(email, PASSWORD, '192.0.2.1')).status).to.equal(429);
    expect((await signIn(email, PASSWORD, '192.0.2.2')).status).to.equal(200);
  });

  it('concurrent sign-ins with the correct password are not throttled', async () => {
    const { email } = await aPerson();
    const right = await times(16, (index) => (index % 2 ? withBasicAuth : signIn)(email, PASSWORD, '192.0.2.9'));
    expect(countFailures(right.map(({ status }) => status))).to.deep.equal({ 200: 16 });
  });

  it('A24: wrong passwords are counted in the same way for unknown accounts, for Basic authentication and for an email address in any letter case', async () => {
    const [known, unknown] = [(await aPerson()).email, `${randomUUID()}@example.com`];
    for (const email of [known, unknown]) {
      const tries = await times(16, (index) =>
        index % 2
          ? signIn(email.toUpperCase(), 'wrong', '192.0.2.3')
          : withBasicAuth(email, `wrong ${index}`, '192.0.2.3'),
      );
      expect(countFailures(tries.map(({ status }) => status))).to.deep.equal({ 401: 10, 429: 6 });
    }
  });

  it('sign-ins with the correct password are not counted as failures', async () => {
    const { email } = await aPerson();
    for (const _ of Array.from({ length: 12 }))
      expect((await signIn(email, PASSWORD, '192.0.2.4')).status).to.equal(200);
  });
});
