/** An API process while MongoDB or Redis is down, and when it stops. F4 and F20 are failures of docs/failures.md. */
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { Agent } from 'undici';
import { config } from '#shared/config.ts';
import { failFastRedis } from '#shared/queue/redis.ts';
import { call, type Reply } from '../support/api.ts';
import { anApiProcess, type ApiProcess } from '../support/api-process.ts';
import { appendChanges, numberedChanges } from '../support/append-changes.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aPerson, aProject } from '../support/people.ts';
import { openSocket } from '../support/socket-client.ts';
import { eventNumbers, openStream } from '../support/stream-client.ts';
import { aTcpProxy } from '../support/tcp-proxy.ts';
import { multipart } from '../support/uploads.ts';
import { waitUntil } from '../support/wait-until.ts';

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const countOk = (replies: { status: number }[]): number => replies.filter(({ status }) => status === 200).length;

/** Starts an API process that should exit. Returns its exit code and output, or `started` if it keeps running. */
const readRefusal = (settings: Record<string, string>): Promise<string> =>
  anApiProcess(settings).then(
    ({ stop }) => stop('SIGKILL').then(() => 'started'),
    (error: Error) => error.message,
  );

/** Starts a proxy to the service at `address`. `href` is the address of the service through the proxy. */
const aProxyTo = async (address: string, defaultPort: number) => {
  const url = new URL(address);
  const proxy = await aTcpProxy({ host: url.hostname, port: Number(url.port || defaultPort) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, href: url.href };
};

/** Runs `work` while Redis has an eviction policy that may delete jobs. */
const withEviction = async <T>(work: () => Promise<T>): Promise<T> => {
  const redis = failFastRedis({ enableOfflineQueue: true });
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  try {
    return await work();
  } finally {
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    redis.disconnect();
  }
};

describe('Outages of the services that an API process uses', () => {
  let mongodb: Awaited<ReturnType<typeof aProxyTo>>;
  let redis: Awaited<ReturnType<typeof aProxyTo>>;
  let running: ApiProcess;
  let refusal: string;

  before(async () => {
    [mongodb, redis] = [await aProxyTo(config.MONGODB_URI, 27_017), await aProxyTo(config.REDIS_URL, 6379)];
    const settings = { RATE_LIMIT_POINTS: '30', QUEUE_PREFIX: `outages-${process.pid}`, REDIS_UNSAFE: 'true' };
    [refusal, running] = await withEviction(() =>
      Promise.all([readRefusal({}), anApiProcess({ ...settings, MONGODB_URI: mongodb.href, REDIS_URL: redis.href })]),
    );
  });
  after(async () => {
    await running?.stop('SIGKILL');
    await mongodb.close();
    await redis.close();
  });

  /** Creates an account. Returns a function that lists its projects. */
  const aProjectList = async () => {
    const { authorization } = await aPerson();
    return () => call('GET', `${running.url}/v3/projects`, { headers: { authorization } });
  };
  const readReadiness = () => call('GET', `${running.url}/health/ready`);

  it('F20: the API refuses to start with a Redis server that may evict jobs, unless REDIS_UNSAFE is set', () => {
    expect(refusal)
      .to.match(/^exit 1/)
      .and.include('it needs maxmemory-policy noeviction (set REDIS_UNSAFE=true');
    expect(running.output()).to.include('it needs maxmemory-policy noeviction');
  });

  it('the API returns 503 with Retry-After while MongoDB is unavailable, and recovers when MongoDB is back', async () => {
    const list = await aProjectList();
    expect((await list()).status).to.equal(200);
    mongodb.shut();
    const [ready, ...replies] = await Promise.all([readReadiness(), list(), list(), list()]);
    mongodb.acceptConnections(); // before the checks: the following tests need MongoDB even if a check fails
    for (const reply of replies) expect([reply.status, reply.headers['retry-after']]).to.deep.equal([503, '2']);
    expect(ready.body.down).to.deep.equal(['mongodb']);
    await waitUntil(async () => (await readReadiness()).status === 200);
    expect((await list()).status).to.equal(200);
  });

  it('F4: the API answers requests and enforces rate limits while Redis hangs', async () => {
    const list = await aProjectList();
    expect(countOk(await times(10, list))).to.equal(10);
    redis.hang();
    const replies = await times(80, list);
    expect(replies.filter(({ status }) => status >= 500)).to.deep.equal([]);
    expect(countOk(replies)).to.be.within(1, 60);
    expect(replies.some(({ status }) => status === 429)).to.equal(true);
    const ready = await readReadiness();
    expect(ready.status).to.equal(503);
    expect(ready.body.down).to.include('redis').and.not.include('mongodb');
  });

  it('while Redis is down, each process counts wrong passwords on its own and enforces the usual limit', async () => {
    redis.shut();
    const { email } = await aPerson();
    const signIn = (index: number) =>
      call('POST', `${running.url}/v3/auth/signin`, { body: { email, password: `wrong ${index}` } });
    const replies = await times(20, signIn);
    const countOf = (code: number): number => replies.filter(({ status }) => status === code).length;
    expect([countOf(401), countOf(429)]).to.deep.equal([10, 10]);
  });
});

/** Repeats a call until it returns this status. */
const waitForAnswer = async (work: () => Promise<Reply>, status: number): Promise<Reply> => {
  for (;;) {
    const reply = await work();
    if (reply.status === status) return reply;
  }
};

describe('SIGTERM to an API process', () => {
  let running: ApiProcess;
  let socket: Awaited<ReturnType<typeof openSocket>>;
  let stream: Awaited<ReturnType<typeof openStream>>;
  /** The statuses of the responses on open connections, until the API closes each connection. */
  const statuses: number[] = [];
  let exitCode: number;
  /** What `/health/ready` returned after the signal: the code, the status in the body and the `Connection` header. */
  const readiness: unknown[] = [];
  /** The response to an upload that began before the signal and ended after it. */
  let uploaded: { statusCode: number; headers: { connection?: unknown } };

  /** The two parts of an upload. Resolves `begun` after the first, and awaits `released` before the second. */
  async function* partsOf(
    body: Buffer,
    begun: PromiseWithResolvers<void>,
    released: Promise<unknown>,
  ): AsyncGenerator<Buffer> {
    yield body.subarray(0, -1);
    begun.resolve();
    await released;
    yield body.subarray(-1);
  }

  const requestUntilClosed = async (dispatcher: Agent): Promise<void> => {
    for (;;) {
      const response = await dispatcher.request({ origin: running.url, path: '/health/live', method: 'GET' });
      await response.body.dump();
      statuses.push(response.statusCode);
      if (response.headers.connection === 'close') return;
    }
  };

  before(async () => {
    running = await anApiProcess({ STOP_DELAY_SECONDS: '1' });
    const { project, admin, agent } = await aProject();
    await relayedChanges(project.id);
    socket = await openSocket(agent, { url: running.url });
    stream = await openStream(agent, project.id, { url: running.url });
    await appendChanges(project.id, ...numberedChanges(3));
    // The open socket causes presence events of the agent. They have no number `n`, and are skipped.
    const numbers: number[] = [];
    while (numbers.length < 3) numbers.push(...eventNumbers(await stream.take(1)).filter((n) => n !== undefined));
    expect(numbers).to.deep.equal([0, 1, 2]);
    const dispatcher = new Agent({ connections: 4, pipelining: 1 });
    const clients = times(4, () => requestUntilClosed(dispatcher));
    while (statuses.length < 20) await call('GET', `${running.url}/health/live`);
    const uploader = new Agent();
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { body, headers } = multipart({ bytes: 'text' });
    const upload = uploader.request({
      origin: running.url,
      path: `/v3/${project.id}/files/assets`,
      method: 'POST',
      headers: { ...headers, authorization: admin.authorization, 'content-length': String(body.length) },
      body: Readable.from(partsOf(body, begun, released.promise)),
    });
    await begun.promise;
    await call('GET', `${running.url}/health/live`);
    const code = running.stop();
    const ready = await waitForAnswer(() => call('GET', `${running.url}/health/ready`), 503);
    readiness.push(ready.status, ready.body.status, ready.headers.connection);
    await clients;
    released.resolve();
    uploaded = await upload;
    await upload.then(({ body: text }) => text.dump());
    exitCode = await code;
    await Promise.all([dispatcher.close(), uploader.close()]);
  });

  it('the API exits with code 0 on SIGTERM without failing a request on an open connection', () => {
    expect(exitCode).to.equal(0);
    expect(statuses.every((status) => status === 200)).to.equal(true);
  });

  it('a stopping API reports that it is not ready while it still accepts calls', () => {
    expect(readiness).to.deep.equal([503, 'stopping', 'close']);
  });

  it('an upload in progress is completed, and its connection is closed afterwards', () => {
    expect([uploaded.statusCode, uploaded.headers.connection]).to.deep.equal([201, 'close']);
  });

  it('an open stream ends when its API process is stopped and does not delay the exit', async () => {
    // Until the process closes the stream, it may send further changes, such as presence events of the agent.
    while ((await stream.next()) !== undefined);
  });

  it('a stopping process closes its sockets with 1001', async () => {
    await socket.ended();
    expect(socket.closed?.code).to.equal(1001);
  });
});
