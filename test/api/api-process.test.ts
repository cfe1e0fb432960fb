import { expect } from 'chai';
import { Agent } from 'undici';
import { config } from '#shared/config.ts';
import { failFastRedis } from '#shared/queue/redis.ts';
import { call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aPerson, PASSWORD } from '../support/people.ts';
import { aTcpProxy } from '../support/tcp-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

type ApiProcess = Awaited<ReturnType<typeof anApiProcess>>;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const countOk = (replies: { status: number }[]): number => replies.filter(({ status }) => status === 200).length;

describe('API process', () => {
  let running: ApiProcess;

  const start = async (settings: Record<string, string> = {}): Promise<ApiProcess> =>
    (running = await anApiProcess(settings));

  afterEach(() => running.stop('SIGKILL'));

  it('sign-in is rate-limited by network address, ignores X-Forwarded-For, and returns Retry-After', async () => {
    const { url } = await start({ SIGNIN_LIMIT_POINTS: '5', QUEUE_PREFIX: `limit-${process.pid}` });
    const signIn = (index: number) =>
      call('POST', `${url}/v3/auth/signin`, {
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
  });

  it('with TRUST_PROXY, sign-in is limited by the address that the proxy adds, and REQUIRE_HTTPS refuses plain HTTP', async () => {
    const { url } = await start({
      SIGNIN_LIMIT_POINTS: '3',
      QUEUE_PREFIX: `proxy-${process.pid}`,
      TRUST_PROXY: 'true',
      REQUIRE_HTTPS: 'true',
    });
    const signIn = (forwarded: string, proto = 'https') =>
      call('POST', `${url}/v3/auth/signin`, {
        body: {},
        headers: { 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto },
      });
    const plainHttp = await signIn('9.9.9.9', 'http');
    expect(plainHttp.status).to.equal(403);
    expect(plainHttp.headers['content-type']).to.match(/^text\/plain/);
    const replies = await times(9, (index) => signIn(`1.2.3.${index}, 8.8.8.8`));
    expect(replies.filter(({ status }) => status === 429)).to.have.lengthOf(6);
    const otherAddress = await signIn('7.7.7.7');
    expect(otherAddress.status).to.equal(422);
    expect(otherAddress.headers).to.have.property('strict-transport-security');
  });

  it('the API answers requests and enforces rate limits while Redis hangs', async () => {
    const { hostname, port } = new URL(config.REDIS_URL);
    const redis = await aTcpProxy({ host: hostname, port: Number(port || 6379) });
    const throughProxy = new URL(config.REDIS_URL);
    throughProxy.hostname = '127.0.0.1';
    throughProxy.port = String(redis.port);
    const { url } = await start({
      REDIS_URL: throughProxy.href,
      RATE_LIMIT_POINTS: '30',
      QUEUE_PREFIX: `hang-${process.pid}`,
    });
    const person = await aPerson();
    const list = () => call('GET', `${url}/v3/projects`, { headers: { authorization: person.authorization } });
    expect(countOk(await times(10, list))).to.equal(10);
    redis.hang();
    const replies = await times(80, list);
    expect(replies.filter(({ status }) => status >= 500)).to.deep.equal([]);
    expect(countOk(replies)).to.be.within(1, 60);
    expect(replies.some(({ status }) => status === 429)).to.equal(true);
    const ready = await call('GET', `${url}/health/ready`);
    expect(ready.status).to.equal(503);
    expect(ready.body.down).to.include('redis').and.not.include('mongodb');
    await running.stop('SIGKILL');
    await redis.close();
  });

  it('the API returns 503 with Retry-After while MongoDB is unavailable, and recovers when MongoDB is back', async () => {
    const { hostname, port } = new URL(config.MONGODB_URI);
    const mongodb = await aTcpProxy({ host: hostname, port: Number(port || 27_017) });
    const uri = new URL(config.MONGODB_URI);
    uri.host = `127.0.0.1:${mongodb.port}`;
    const { url } = await start({ MONGODB_URI: uri.href });
    const person = await aPerson();
    const list = () => call('GET', `${url}/v3/projects`, { headers: { authorization: person.authorization } });
    expect((await list()).status).to.equal(200);
    mongodb.shut();
    const [ready, ...replies] = await Promise.all([call('GET', `${url}/health/ready`), list(), list(), list()]);
    for (const reply of replies) expect([reply.status, reply.headers['retry-after']]).to.deep.equal([503, '2']);
    expect(ready.body.down).to.deep.equal(['mongodb']);
    mongodb.acceptConnections();
    await waitUntil(async () => (await list()).status === 200);
    await running.stop('SIGKILL');
    await mongodb.close();
  });

  it('the API exits with code 0 on SIGTERM without failing a request on an open connection', async () => {
    const { url, stop } = await start();
    const dispatcher = new Agent({ connections: 4, pipelining: 1 });
    const statuses: number[] = [];
    const waitForConnectionClose = async () => {
      for (;;) {
        const response = await dispatcher.request({ origin: url, path: '/health/live', method: 'GET' });
        await response.body.dump();
        statuses.push(response.statusCode);
        if (response.headers.connection === 'close') return;
      }
    };
    const clients = times(4, waitForConnectionClose);
    while (statuses.length < 20) await call('GET', `${url}/health/live`);
    const code = stop();
    await clients;
    expect(await code).to.equal(0);
    expect(statuses.every((status) => status === 200)).to.equal(true);
    await dispatcher.close();
  });

  it('the API writes no secret to its logs or replies', async () => {
    const { url, output, stop } = await start({ LOG_LEVEL: 'trace' });
    const person = await aPerson();
    const canary = 'canary-5f1e9c';
    const post = (path: string, body: unknown, headers = {}) => call('POST', url + path, { body, headers });
    const basic = `Basic ${Buffer.from(`${person.email}:${canary}`).toString('base64')}`;
    const replies = [
      await post('/v3/auth/signin', { email: person.email, password: canary }),
      await post('/v3/auth/signin', { email: canary, password: canary }),
      await post('/v3/auth/signin', `{"password":"${canary}`, { 'content-type': 'application/json' }),
      await post('/v3/auth/signup', {
        email: person.email,
        password: canary,
        firstname: 'A',
        lastname: 'B',
        secret: canary,
      }),
      await post('/v3/auth/signup', { email: 'x', password: [canary], token: canary }),
      await call('GET', `${url}/v3/projects?secret_token=${canary}`, { headers: { authorization: basic } }),
      await call('GET', `${url}/v3/projects`, { headers: { authorization: `JWT ${canary}` } }),
      await post('/v3/auth/signin', { email: person.email, password: PASSWORD }),
    ];
    await stop();
    // The second reply may repeat the invalid e-mail address to its sender.
    expect(replies.filter(({ text }, index) => index !== 1 && text.includes(canary))).to.deep.equal([]);
    for (const secret of [canary, PASSWORD, basic, replies.at(-1)?.body.token]) expect(output()).to.not.include(secret);
    expect(replies.filter(({ text }) => /node_modules|\.ts:\d/.test(text))).to.deep.equal([]);
  });
});

describe('Start-up checks of the API', () => {
  const readRefusal = (settings: Record<string, string>): Promise<string> =>
    anApiProcess(settings).then(
      ({ stop }) => stop('SIGKILL').then(() => 'started'),
      (error: Error) => error.message,
    );

  it('the API refuses to start without MongoDB and names its address', async () => {
    const uri = 'mongodb://127.0.0.1:9/x?directConnection=true&serverSelectionTimeoutMS=300';
    expect(await readRefusal({ MONGODB_URI: uri }))
      .to.match(/^exit 1/)
      .and.include('127.0.0.1:9');
  });

  it('the API refuses to start with a Redis that may evict jobs, unless REDIS_UNSAFE is set', async () => {
    const redis = failFastRedis({ enableOfflineQueue: true });
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      expect(await readRefusal({}))
        .to.match(/^exit 1/)
        .and.include('it needs maxmemory-policy noeviction (set REDIS_UNSAFE=true');
      expect(await readRefusal({ REDIS_UNSAFE: 'true' })).to.equal('started');
    } finally {
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      redis.disconnect();
    }
  });
});
