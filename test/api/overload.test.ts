/** Which calls an overloaded API process refuses. F16 is a failure described in docs/failures.md. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { runExclusive } from '#shared/concurrency/keyed-mutex.ts';
import { MAX_UNCOUNTED_CALLS, uncountedCalls } from '../../api/http/auth/count-calls.ts';
import { runningCallsLimit } from '../../api/http/run-endpoint.ts';
import { api, type Caller, call } from '../support/api.ts';
import { anApiProcess, type ApiProcess } from '../support/api-process.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';

/** The time within which a sign-in reaches the password check. */
const ARRIVAL_MS = 300;
const WAVES = 6;
const CALLS_PER_WAVE = 100;

/** Starts work for a holder, such as a project, up to the holder's limit. The returned function ends the work. */
const reachLimit = ({ run, isReached }: typeof runningCallsLimit, holder: string): (() => void) => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  while (!isReached(holder)) void run(holder, () => ended);
  return end;
};

describe('Overload of an API process', () => {
  it('F16: while too many calls wait to be counted towards the rate limits, further calls get 503 with Retry-After, and health checks are answered', async () => {
    const waiting = times(MAX_UNCOUNTED_CALLS, () => new IncomingMessage(new Socket()));
    for (const request of waiting) uncountedCalls.add(request);
    try {
      const { status, body, headers } = await api().get('/v3/projects');
      expect(status).to.equal(503);
      expect(body).to.include({ code: 'OVERLOADED' });
      expect(headers).to.include({ 'retry-after': '1', 'access-control-allow-origin': '*' });
      expect((await api().get('/health/live')).status).to.equal(200);
    } finally {
      for (const request of waiting) uncountedCalls.delete(request);
    }
    expect((await api().get('/v3/projects')).status).to.equal(401);
    expect(uncountedCalls.size).to.equal(0);
  });

  it('F16: sign-ins that wait for the hash of a password do not cause other calls to be refused', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = runExclusive('password hash', () => released);
    const waiting = times(MAX_UNCOUNTED_CALLS - 1, () => new IncomingMessage(new Socket()));
    for (const request of waiting) uncountedCalls.add(request);
    const signIn = api().post('/v3/auth/signin', { email: 'ann@example.org', password: 'wrong password' });
    await sleep(ARRIVAL_MS);
    try {
      expect((await api().get('/v3/projects')).status).to.equal(401);
    } finally {
      for (const request of waiting) uncountedCalls.delete(request);
      release();
    }
    await holding;
    expect((await signIn).status).to.equal(401);
  });

  it('F16: while too many calls of a project are running, further calls of the project get 503 before they are authenticated, and calls of another project are served', async () => {
    const [busy, other] = await Promise.all([aProject(), aProject()]);
    const statusOf = async (project: string, caller?: Caller): Promise<number> =>
      (await api(caller).get(`/v3/${project}/tags`)).status;
    const end = reachLimit(runningCallsLimit, busy.project.id);
    try {
      expect(await statusOf(busy.project.id)).to.equal(503);
      expect(await statusOf(busy.project.id, busy.agent)).to.equal(503);
      expect(await statusOf(other.project.id, other.agent)).to.equal(200);
    } finally {
      end();
    }
    expect(await statusOf(busy.project.id, busy.agent)).to.equal(200);
  });

  describe('with visitors who call too fast', () => {
    let server: ApiProcess;

    before(async () => {
      server = await anApiProcess({ RATE_LIMIT_POINTS: '700' });
    });
    after(() => server.stop('SIGKILL'));

    it('F16: calls that wait for the pace of their visitor do not cause other calls to be refused', async () => {
      const { project, guest, agent } = await aProject();
      const get = ({ authorization }: Caller) =>
        call('GET', `${server.url}/v3/${project.id}/changes`, { headers: { authorization } });
      let answered = 0;
      const callAndCount = async () => {
        await get(guest).catch(() => undefined); // the process ends before most calls are answered
        answered += 1;
      };
      for (let wave = 0; wave < WAVES; wave += 1) {
        void times(CALLS_PER_WAVE, callAndCount);
        expect((await get(agent)).status).to.equal(200);
      }
      expect(answered).to.be.lessThan(WAVES * CALLS_PER_WAVE);
    });
  });
});
