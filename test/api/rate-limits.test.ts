import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { issueToken } from '#shared/security/tokens.ts';
import { type Caller, call } from '../support/api.ts';
import { anApiProcess, type ApiProcess } from '../support/api-process.ts';
import { aPerson, aProject, aTeammate, aVisitor, PASSWORD, type Person } from '../support/people.ts';

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Another token of the same account. */
const anotherToken = ({ id, email }: Person): Caller => ({
  id,
  authorization: `JWT ${issueToken('user', { _id: id, email }, config.TOKEN_TTL_SECONDS)}`,
});

const withBasicAuth = ({ id, email }: Person): Caller => ({
  id,
  authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`,
});

/**
 * While a command to Redis takes more than 150 ms, a process counts calls on its own, so a test may fail on a busy
 * machine. Mocha repeats a test that fails.
 */
const RETRIES_ON_A_BUSY_MACHINE = 4;

describe('Rate limits', function () {
  this.retries(RETRIES_ON_A_BUSY_MACHINE);
  let limited: ApiProcess;
  let paced: ApiProcess;
  let networks = 0;
  /** The client address that a proxy reports for a test's calls to `limited`. Each test has its own network. */
  let network: string;

  before(async () => {
    const prefix = `limits-${process.pid}`;
    [limited, paced] = await Promise.all([
      anApiProcess({
        ...{ RATE_LIMIT_POINTS: '10', TOKEN_ISSUE_LIMIT_POINTS: '3', PROJECT_LIMIT_POINTS: '25' },
        ...{ SIGNIN_LIMIT_POINTS: '12', TRUST_PROXY: 'true', REQUIRE_HTTPS: 'true', QUEUE_PREFIX: prefix },
      }),
      anApiProcess({ RATE_LIMIT_POINTS: '1200', SIGNIN_LIMIT_POINTS: '5', QUEUE_PREFIX: `${prefix}-pace` }),
    ]);
  });
  after(() => Promise.all([limited, paced].map((api) => api.stop('SIGKILL'))));
  beforeEach(() => {
    networks += 1;
    network = `192.0.2.${networks}`;
  });

  /** The headers that a proxy adds to a call from an address. */
  const proxied = (address = network) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });
  const headers = ({ authorization }: Caller) => ({ authorization, ...proxied() });
  const get = (caller: Caller, path: string, { url }: { url: string } = limited) =>
    call('GET', url + path, { headers: headers(caller) });
  /** Makes 9 calls as each caller, and returns how many succeeded and which limits refused the others. */
  const outcomeOf = async (callers: Caller[], ...paths: string[]) => {
    const calls = callers.flatMap((caller, index) => times(9, () => get(caller, paths[index % paths.length] ?? '')));
    const replies = (await Promise.all(calls)).flat();
    const refused = replies.filter(({ status }) => status === 429);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).to.be.within(1, 60);
    const limits = new Set(refused.map(({ headers }) => /^"(\w+)"/.exec(String(headers['ratelimit-policy']))?.[1]));
    return { ok: replies.filter(({ status }) => status === 200).length, limits: [...limits] };
  };

  it("an actor's calls with all its tokens are limited to twice the limit of a token", async () => {
    const person = await aPerson();
    const callers = [person, anotherToken(person), withBasicAuth(person)];
    expect(new Set(callers.map(({ authorization }) => authorization)).size).to.equal(3);
    expect(await outcomeOf(callers, '/v3/projects')).to.deep.equal({ ok: 20, limits: ['principal'] });
  });

  it('the calls of all visitors in a network are limited to 4 times the limit of a token', async () => {
    const fixtures = await times(3, aProject); // three, so that the calls to each project are below its limit
    const paths = fixtures.map(({ project }) => `/v3/${project.id}/changes`);
    const visitors = await times(6, (index) => aVisitor(fixtures[index % 3]?.project.id ?? ''));
    expect(await outcomeOf(visitors, ...paths)).to.deep.equal({ ok: 40, limits: ['visitors'] });
    for (const [index, { agent }] of fixtures.entries())
      expect((await get(agent, paths[index] ?? '')).status).to.equal(200);
  });

  it("each message in a visitor's import counts as a call", async () => {
    const { project, guest, agent } = await aProject();
    const one = `${limited.url}/v3/${project.id}/requests/limits-${project.id}/messages`;
    const opened = await call('POST', one, { body: { text: 'Hello' }, headers: headers(guest) });
    expect(opened.status, opened.text).to.equal(200);
    const body = Array.from({ length: 6 }, (_, index) => ({ text: `Message ${index}` }));
    const multi = async (caller: Caller) =>
      (await call('POST', `${one}/multi`, { body, headers: headers(caller) })).status;
    expect(await multi(guest)).to.equal(200);
    expect(await multi(guest)).to.equal(429);
    expect([await multi(agent), await multi(agent)]).to.deep.equal([200, 200]);
  });

  it("a visitor's long message counts as one call per 4,096 characters, up to the limit per minute", async () => {
    const { project, guest, agent } = await aProject();
    const one = `${limited.url}/v3/${project.id}/requests/long-${project.id}/messages`;
    const post = async (caller: Caller, length: number, { attributes = {}, path = one } = {}) => {
      const body = { text: 'x'.repeat(length), attributes };
      return (await call('POST', path, { body, headers: headers(caller) })).status;
    };
    expect(await post(guest, 4000)).to.equal(200);
    expect(await post(guest, 4 * 4096)).to.equal(200);
    expect(await post(guest, 4 * 4096)).to.equal(429);
    expect([await post(agent, 30_000), await post(agent, 30_000)]).to.deep.equal([200, 200]);
    const another = one.replace('/long-', '/longest-');
    expect(
      await post(await aVisitor(project.id), 31_000, { attributes: { note: 'x'.repeat(16_000) }, path: another }),
    ).to.equal(200);
  });

  it('a long response to a visitor counts as one call per 64 KB, and the next call is refused if the limit is used up', async () => {
    const { project, guest, agent } = await aProject();
    const one = `${limited.url}/v3/${project.id}/requests/read-${project.id}/messages`;
    await call('POST', one, { body: { text: 'Hello' }, headers: headers(guest) });
    const messages = Array.from({ length: 60 }, () => ({ text: 'x'.repeat(30_000) }));
    await call('POST', `${one}/multi`, { body: messages, headers: headers(agent) });
    for (const caller of [agent, agent, guest]) expect((await get(caller, one, { url: '' })).body).to.have.length(61);
    const refused = await get(guest, one, { url: '' });
    expect(refused.status).to.equal(429);
    expect(refused.headers['ratelimit-policy']).to.match(/^"principal"/);
  });

  it('a visitor can make 30 calls without a delay, and further calls are slowed to the pace of the rate limit', async () => {
    const { project, guest, agent } = await aProject();
    const path = `/v3/${project.id}/changes`;
    const startedAt = performance.now();
    let isPaced = true;
    const replies = times(70, () => get(guest, path, paced)).finally(() => void (isPaced = false));
    expect((await get(agent, path, paced)).status).to.equal(200);
    expect(isPaced).to.equal(true);
    expect((await replies).map(({ status }) => status)).to.deep.equal(Array(70).fill(200));
    // 1,200 calls per minute are one per 50 ms.
    expect(performance.now() - startedAt).to.be.at.least(40 * 50);
  });

  it('importing a file of leads counts as 15 calls', async () => {
    const { project, agent } = await aProject();
    const csv = { headers: { ...headers(agent), 'content-type': 'text/csv' }, body: 'email\n' };
    const reply = await call('POST', `${paced.url}/v3/${project.id}/leads/csv`, csv);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers['x-ratelimit-remaining']).to.equal(String(1200 - 15));
  });

  it('a rejected call is answered only after a delay of 200 ms', async () => {
    const person = await aPerson();
    await times(11, () => get(person, '/v3/projects'));
    const startedAt = performance.now();
    expect((await get(person, '/v3/projects')).status).to.equal(429);
    expect(performance.now() - startedAt).to.be.at.least(199);
  });

  it("the calls of a project's team share one limit, and its visitors and other projects have their own", async () => {
    const [{ project, guest }, other] = await Promise.all([aProject(), aProject()]);
    const team = await times(4, () => aTeammate(project.id, 'agent'));
    const path = `/v3/${project.id}/changes`;
    expect(await outcomeOf(team, path)).to.deep.equal({ ok: 25, limits: ['project'] });
    expect((await get(guest, path)).status).to.equal(200);
    expect((await get(other.agent, `/v3/${other.project.id}/changes`)).status).to.equal(200);
  });

  it('refused calls from accounts outside a project do not count towards the limit of the project', async () => {
    const [{ project, agent }, ...strangers] = await Promise.all([aProject(), ...[1, 2, 3, 4].map(() => aPerson())]);
    const path = `/v3/${project.id}/changes`;
    expect(await outcomeOf(strangers, path)).to.deep.equal({ ok: 0, limits: [] });
    expect((await get(agent, path)).status).to.equal(200);
  });

  it('tokens that sign-in and createCustomToken issue to an actor count towards one limit', async () => {
    const [person, other] = await Promise.all([aPerson(), aPerson()]);
    const signIn = ({ email }: Person) =>
      call('POST', `${limited.url}/v3/auth/signin`, {
        body: { email, password: PASSWORD },
        headers: proxied(),
      });
    const withCustomToken = () =>
      call('POST', `${limited.url}/v3/chat21/native/auth/createCustomToken`, {
        headers: headers(withBasicAuth(person)),
      });
    const replies = [
      await signIn(person),
      await withCustomToken(),
      await withCustomToken(),
      await withCustomToken(),
      await signIn(person),
    ];
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200, 429, 429]);
    expect(replies[4]?.body).to.include({ code: 'RATE_LIMITED' });
    expect((await signIn(other)).status).to.equal(200);
  });

  it('sign-in is rate-limited by network address, ignores X-Forwarded-For, and returns Retry-After', async () => {
    const signIn = (index: number) =>
      call('POST', `${paced.url}/v3/auth/signin`, {
        body: { email: 'a@b.cd', password: 'x' },
        headers: { 'x-forwarded-for': `1.2.3.${index}` },
      });
    const replies = await times(12, signIn);
    expect(replies.filter(({ status }) => status === 401)).to.have.lengthOf(5);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).to.have.lengthOf(7);
    expect(refused[0]?.body).to.include({ success: false, code: 'RATE_LIMITED' });
    expect(refused[0]?.body.retry_after).to.be.within(1, 60);
    expect(refused[0]?.headers['retry-after']).to.equal(String(refused[0]?.body.retry_after));
    expect(refused[0]?.headers).to.include({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'ratelimit-policy': '"signin";q=5;w=60',
    });
  }).retries(0);

  it('with TRUST_PROXY, sign-in is limited by the address that the proxy adds, and REQUIRE_HTTPS refuses plain HTTP', async () => {
    const signIn = (forwarded: string, proto = 'https') =>
      call('POST', `${limited.url}/v3/auth/signin`, {
        body: {},
        headers: { 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto },
      });
    const plainHttp = await signIn('198.51.100.1', 'http');
    expect(plainHttp.status).to.equal(403);
    expect(plainHttp.headers['content-type']).to.match(/^text\/plain/);
    const replies = await times(18, (index) => signIn(`1.2.3.${index}, ${network}`));
    expect(replies.filter(({ status }) => status === 422)).to.have.lengthOf(12);
    expect(replies.filter(({ status }) => status === 429)).to.have.lengthOf(6);
    const otherAddress = await signIn('198.51.100.1');
    expect(otherAddress.status).to.equal(422);
    expect(otherAddress.headers).to.have.property('strict-transport-security');
  });

  it('a network that has sent too many invalid tokens receives 429 for tokens that the server has not yet verified, while verified tokens and other networks are served', async () => {
    const [used, fresh] = await Promise.all([aPerson(), aPerson()]);
    const prefix = `2001:db8:${networks}`;
    const statusOf = async (authorization: string, address: string): Promise<number> =>
      (await call('GET', `${limited.url}/v3/projects`, { headers: { authorization, ...proxied(address) } })).status;
    expect(await statusOf(used.authorization, `${prefix}::1`)).to.equal(200);
    const wrong = await times(30, (index) => statusOf(`JWT wrong.${index}.x`, `${prefix}::${index}`));
    const countOf = (status: number) => wrong.filter((each) => each === status).length;
    expect([countOf(401), countOf(429)]).to.deep.equal([10, 20]);
    expect(await statusOf(fresh.authorization, `${prefix}::1`)).to.equal(429);
    expect(await statusOf(used.authorization, `${prefix}::1`)).to.equal(200);
    expect(await statusOf(fresh.authorization, `${prefix}:1::1`)).to.equal(200);
  });
});
