import { expect } from 'chai';
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { LOSSES, late, type TwoApis, twoApis } from '../support/access-trials.ts';
import { call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { until } from '../support/until.ts';

const REVOKED = 5;
const OTHERS = 2;
const timesOf = (name: string): number => (name === 'a revoked token' ? REVOKED : OTHERS);

describe('Access that is lost through another process', function () {
  this.timeout(60_000);
  const trials = new Map<string, ReturnType<typeof late>>();
  let apis: TwoApis;

  before(async () => {
    apis = await twoApis();
    for (const [name, loss] of Object.entries(LOSSES)) trials.set(name, late(apis, loss, timesOf(name)));
    await Promise.allSettled(trials.values());
  });
  after(() => apis.close());

  for (const name of Object.keys(LOSSES)) {
    it(`lets nobody in after a second: ${name}, ${timesOf(name)} of ${timesOf(name)} (A6)`, async () => {
      expect((await trials.get(name))?.late).to.equal(0);
    });
  }
});

describe('Access while its changes cannot be heard of', function () {
  this.timeout(30_000);
  const uri = new URL(config.MONGODB_URI);
  const name = `unheard_${process.pid}`;
  uri.pathname = `/${name}`;
  const database = () => mongoose.connection.getClient().db(name);

  after(() => database().dropDatabase());

  it('is read from the database at each call (design 8)', async () => {
    const server = await anApiProcess({ MONGODB_URI: uri.href });
    const account = { email: 'ann@example.com', password: 'long enough', firstname: 'Ann', lastname: 'Lee' };
    const as = { authorization: `Basic ${Buffer.from(`${account.email}:${account.password}`).toString('base64')}` };
    await call('POST', `${server.url}/v3/auth/signup`, { body: account });
    const made = await call('POST', `${server.url}/v3/projects`, { body: { name: 'One' }, headers: as });
    const statusNow = async () =>
      (await call('GET', `${server.url}/v3/${made.body.id}/changes`, { headers: as })).status;
    expect(await statusNow()).to.equal(200);
    await database()
      .collection('project_users')
      .updateMany({}, { $set: { status: 'disabled' } });
    expect(await statusNow()).to.equal(200); // nobody told of it, so what was read is believed
    await database().dropCollection('access_changes');
    const failing = [{ $project: { about: { $toInt: '$email' } } }];
    await database().createCollection('access_changes', { viewOn: 'users', pipeline: failing });
    await until(async () => (await statusNow()) === 403);
    await server.stop('SIGKILL');
  });
});
