import { expect } from 'chai';
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import {
  REVOCATIONS,
  countLateAcceptances,
  type TwoApiProcesses,
  twoApiProcesses,
} from '../support/revocation-trials.ts';
import { waitUntil } from '../support/wait-until.ts';

const REVOKED_TOKEN_TRIALS = 3;
const OTHER_TRIALS = 1;
const timesOf = (name: string): number => (name === 'a revoked token' ? REVOKED_TOKEN_TRIALS : OTHER_TRIALS);

describe('Revoked access across API processes', () => {
  const trials = new Map<string, ReturnType<typeof countLateAcceptances>>();
  let apis: TwoApiProcesses;

  before(async () => {
    apis = await twoApiProcesses();
    for (const [name, loss] of Object.entries(REVOCATIONS))
      trials.set(name, countLateAcceptances(apis, loss, timesOf(name)));
    await Promise.allSettled(trials.values());
  });

  for (const name of Object.keys(REVOCATIONS)) {
    it(`another API process rejects ${name} within one second (${timesOf(name)} trials)`, async () => {
      expect((await trials.get(name))?.late).to.equal(0);
    });
  }
});

describe('Access cache without the access-changes log', () => {
  const uri = new URL(config.MONGODB_URI);
  const name = `no_access_changes_${process.pid}`;
  uri.pathname = `/${name}`;
  const database = () => mongoose.connection.getClient().db(name);

  after(() => database().dropDatabase());

  it('access is read from the database for each call when the access-changes log cannot be read', async () => {
    const server = await anApiProcess({ MONGODB_URI: uri.href });
    const account = { email: 'ann@example.com', password: 'long enough', firstname: 'Ann', lastname: 'Lee' };
    const as = { authorization: `Basic ${Buffer.from(`${account.email}:${account.password}`).toString('base64')}` };
    await call('POST', `${server.url}/v3/auth/signup`, { body: account });
    const created = await call('POST', `${server.url}/v3/projects`, { body: { name: 'One' }, headers: as });
    const statusNow = async () =>
      (await call('GET', `${server.url}/v3/${created.body.id}/changes`, { headers: as })).status;
    expect(await statusNow()).to.equal(200);
    await database()
      .collection('project_users')
      .updateMany({}, { $set: { status: 'disabled' } });
    // The API drops a cached membership when it reads a change to it in the access-changes log. This change is not
    // in the log, so the API still uses the cached membership.
    expect(await statusNow()).to.equal(200);
    await database().dropCollection('access_changes');
    const failing = [{ $project: { about: { $toInt: '$email' } } }];
    await database().createCollection('access_changes', { viewOn: 'users', pipeline: failing });
    await waitUntil(async () => (await statusNow()) === 403);
    await server.stop('SIGKILL');
  });
});
