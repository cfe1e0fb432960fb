/** Attack A10: guessing passwords. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { anOwnRedis } from '../support/own-redis.ts';
import { aPerson, PASSWORD } from '../support/people.ts';

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const counted = (statuses: number[]): Record<number, number> =>
  Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((each) => each === status).length]),
  );

describe('Guesses at a password (A10)', function () {
  this.timeout(60_000);
  let server: Awaited<ReturnType<typeof anApiProcess>>;

  before(async () => {
    server = await anApiProcess({ TRUST_PROXY: 'true' });
  });
  after(() => server.stop('SIGKILL'));

  const signIn = (email: string, password: string, address: string) =>
    call('POST', `${server.url}/v3/auth/signin`, {
      body: { email, password },
      headers: { 'x-forwarded-for': address },
    });
  const byBasic = (email: string, password: string, address: string) =>
    call('GET', `${server.url}/v3/projects`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
        'x-forwarded-for': address,
      },
    });

  it('are ten from one address, however many come at once; from another the right one works (decision 44)', async () => {
    const { email } = await aPerson();
    const wrong = await times(20, (index) => signIn(email, `wrong ${index}`, '192.0.2.1'));
    expect(counted(wrong.map(({ status }) => status))).to.deep.equal({ 401: 10, 429: 10 });
    const refused = wrong.find(({ status }) => status === 429);
    expect(refused?.body).to.include({ success: false, code: 'RATE_LIMITED' });
    expect(Number(refused?.headers['retry-after'])).to.be.within(1, 900);
    expect((await signIn(email, PASSWORD, '192.0.2.1')).status).to.equal(429);
    expect((await signIn(email, PASSWORD, '192.0.2.2')).status).to.equal(200);
  });

  it('are not seen in right passwords, however many come at once', async () => {
    const { email } = await aPerson();
    const right = await times(16, (index) => (index % 2 ? byBasic : signIn)(email, PASSWORD, '192.0.2.9'));
    expect(counted(right.map(({ status }) => status))).to.deep.equal({ 200: 16 });
  });

  it('are counted alike for an account that does not exist, by Basic, and in whatever case it is written (A24)', async () => {
    const [known, unknown] = [(await aPerson()).email, `${randomUUID()}@example.com`];
    for (const email of [known, unknown]) {
      const tries = await times(16, (index) =>
        index % 2 ? signIn(email.toUpperCase(), 'wrong', '192.0.2.3') : byBasic(email, `wrong ${index}`, '192.0.2.3'),
      );
      expect(counted(tries.map(({ status }) => status))).to.deep.equal({ 401: 10, 429: 6 });
    }
  });

  it('do not count when they are right', async () => {
    const { email } = await aPerson();
    for (const _ of Array.from({ length: 12 }))
      expect((await signIn(email, PASSWORD, '192.0.2.4')).status).to.equal(200);
  });
});

describe('Guesses while Redis is away (A10, F4)', function () {
  this.timeout(30_000);

  it('are counted by each process for itself, and are no more', async () => {
    const redis = await anOwnRedis(join(config.DATA_DIR, `guesses-${process.pid}`));
    const server = await anApiProcess({ REDIS_URL: redis.url });
    const { email } = await aPerson();
    const signIn = (password: string) =>
      call('POST', `${server.url}/v3/auth/signin`, { body: { email, password } }).then(({ status }) => status);
    await redis.close();
    expect(counted(await times(20, (index) => signIn(`wrong ${index}`)))).to.deep.equal({ 401: 10, 429: 10 });
    await server.stop('SIGKILL');
  });
});

describe('Tokens that are not in force (A6)', function () {
  this.timeout(30_000);

  it('cost nothing more once their network has sent too many; other networks, and tokens in use, go on', async () => {
    const server = await anApiProcess({ TRUST_PROXY: 'true', RATE_LIMIT_POINTS: '20' });
    const [used, fresh] = await Promise.all([aPerson(), aPerson()]);
    const statusOf = async (authorization: string, address: string): Promise<number> =>
      (await call('GET', `${server.url}/v3/projects`, { headers: { authorization, 'x-forwarded-for': address } }))
        .status;
    expect(await statusOf(used.authorization, '2001:db8::1')).to.equal(200);
    const wrong = await times(30, (index) => statusOf(`JWT wrong.${index}.x`, `2001:db8::${index}`));
    expect(counted(wrong)).to.deep.equal({ 401: 20, 429: 10 });
    expect(await statusOf(fresh.authorization, '2001:db8::1')).to.equal(429);
    expect(await statusOf(used.authorization, '2001:db8::1')).to.equal(200);
    expect(await statusOf(fresh.authorization, '2001:db8:0:1::1')).to.equal(200);
    await server.stop('SIGKILL');
  });
});
