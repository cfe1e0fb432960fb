/** The status of replies while MongoDB or Redis is unavailable. F7 is a failure described in docs/failures.md. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { Redis, type RedisOptions } from 'ioredis';
import mongoose, { mongo } from 'mongoose';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { toAppError } from '../../api/http/response/errors.ts';
import { call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aDedicatedDatabase } from '../support/dedicated-database.ts';
import { PASSWORD } from '../support/people.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const failure = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('the work must fail, but it succeeded');
};

const brokenServers: Server[] = [];

/** A server on its own port that handles each connection with `serve`. */
const aBrokenServer = async (serve: (socket: Socket) => void): Promise<number> => {
  const server = createServer((socket) => serve(socket.on('error', () => undefined)));
  brokenServers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

/** Returns the error from a GET command that ioredis sends to a server whose connections `serve` handles. */
const redisError = async (serve: (socket: Socket) => void, options: RedisOptions = {}): Promise<unknown> => {
  const settings = { enableReadyCheck: false, lazyConnect: true, retryStrategy: () => null, ...options };
  const redis = new Redis(await aBrokenServer(serve), '127.0.0.1', settings);
  redis.on('error', () => undefined);
  try {
    return await failure(() => redis.get('key'));
  } finally {
    redis.disconnect();
  }
};

/** Returns a handler that answers each Redis command with the error `text`. */
const replyWithError = (text: string) => (socket: Socket) =>
  void socket.on('data', (data) => socket.write(`-${text}\r\n`.repeat(String(data).match(/^\*/gm)?.length ?? 0)));

const serverError = (code: number, labels: string[] = []) =>
  new mongo.MongoServerError({ message: 'refused', code, errorLabels: labels });

/** Returns the error from a write to a socket that the other side has closed. */
const closedSocketError = async (): Promise<unknown> => {
  const socket = connect(await aBrokenServer((each) => each.end()), '127.0.0.1');
  await once(socket.resume(), 'end');
  const broken = once(socket, 'error');
  socket.write('x');
  const [error] = await broken;
  return error;
};

/** A URI at which no server listens. */
const UNREACHABLE_URI = 'mongodb://127.0.0.1:9/x?directConnection=true&serverSelectionTimeoutMS=50';

const UNAVAILABLE_ERRORS: Record<string, () => unknown> = {
  'no server to select': () => failure(() => new mongo.MongoClient(UNREACHABLE_URI).connect()),
  'no server to select, reported by mongoose': () =>
    failure(() => mongoose.createConnection(UNREACHABLE_URI).asPromise()),
  'a lost connection': () => new mongo.MongoNetworkError('connection 3 to 127.0.0.1:27017 closed'),
  'a connection that timed out': () => new mongo.MongoNetworkTimeoutError('connection timed out'),
  'a cleared pool': () => new mongo.MongoNetworkError('Connection pool was cleared'),
  'a session that has ended': () => new mongo.MongoExpiredSessionError(),
  'a closed client': () => new mongo.MongoClientClosedError(),
  'a closed topology': () => new mongo.MongoTopologyClosedError(),
  'a client that is not connected': () => new mongo.MongoNotConnectedError('Client must be connected'),
  'an operation that timed out': () => new mongo.MongoOperationTimeoutError('Timed out'),
  'a socket that the server has closed': closedSocketError,
  'a lost connection as the cause': () => new Error('wrapped', { cause: new mongo.MongoNetworkError('closed') }),
  'a lost connection among several errors': () => new AggregateError([new mongo.MongoNetworkError('closed')]),
  ...Object.fromEntries(
    Object.entries({
      MaxTimeMSExpired: 50,
      ShutdownInProgress: 91,
      PrimarySteppedDown: 189,
      ExceededTimeLimit: 262,
      NotWritablePrimary: 10_107,
      InterruptedAtShutdown: 11_600,
      InterruptedDueToReplStateChange: 11_602,
      NotPrimaryNoSecondaryOk: 13_435,
      NotPrimaryOrSecondary: 13_436,
      ReadConcernMajorityNotAvailableYet: 134,
      HostUnreachable: 6,
      CursorNotFound: 43,
      WriteConcernTimeout: 64,
    }).map(([name, code]) => [`MongoDB's ${name}`, () => serverError(code)]),
  ),
  'an error labelled RetryableWriteError': () => serverError(1, ['RetryableWriteError']),
  'an error labelled TransientTransactionError': () => serverError(251, ['TransientTransactionError']),
  'an unknown result of a commit': () => serverError(1, ['UnknownTransactionCommitResult']),
  'a write concern that was not met': () =>
    new mongo.MongoWriteConcernError({ ok: 1, writeConcernError: { code: 91, errmsg: 'shutting down' } }),
  'a Redis server that closes every connection': () =>
    redisError((socket) => socket.destroy(), { maxRetriesPerRequest: 0 }),
  'a Redis command that was retried too often': () =>
    redisError((socket) => socket.destroy(), { maxRetriesPerRequest: 1, retryStrategy: () => 1 }),
  'a Redis client that is not connected yet': () => redisError(() => undefined, { enableOfflineQueue: false }),
  'a Redis server that does not answer': () => redisError(() => undefined, { commandTimeout: 20 }),
  'a Redis connection that closes during a command': () =>
    redisError((socket) => void socket.on('data', () => socket.destroy()), { autoResendUnfulfilledCommands: false }),
  ...Object.fromEntries(
    [
      'LOADING Redis is loading the dataset in memory',
      "READONLY You can't write against a read only replica.",
      'CLUSTERDOWN The cluster is down',
      "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
      'MISCONF Redis is configured to save RDB snapshots',
      "OOM command not allowed when used memory > 'maxmemory'.",
    ].map((reply) => [`the ${reply.split(' ')[0]} reply of Redis`, () => redisError(replyWithError(reply))]),
  ),
  'a queue whose connection is closed': async () => {
    const connection = new Redis(await aBrokenServer(() => undefined), '127.0.0.1', { lazyConnect: true });
    connection.on('error', () => undefined);
    const queue = new Queue('closed', { connection, skipVersionCheck: true });
    queue.on('error', () => undefined);
    connection.disconnect();
    return failure(() => queue.add('job', {}));
  },
  'a rate limiter whose Redis client is not ready': () => {
    const storeClient = new Redis({ lazyConnect: true });
    return failure(() =>
      new RateLimiterRedis({ storeClient, rejectIfRedisNotReady: true, points: 1, duration: 1 }).consume('key'),
    );
  },
};

const DEFECTS: Record<string, () => unknown> = {
  'a programming error': () => new TypeError("Cannot read properties of undefined (reading 'x')"),
  'a programming error as the cause of another error': () => new Error('outer', { cause: new RangeError('inner') }),
  'a duplicate key': () => serverError(11_000),
  'an operator unknown to MongoDB': () => serverError(2),
  'a wrong argument to the driver': () => new mongo.MongoInvalidArgumentError('wrong'),
  "Redis' reply to a wrong command": () => redisError(replyWithError('WRONGTYPE Operation against a key')),
  'a missing file': () => Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }),
  'a thrown string': () => 'text',
  'a thrown undefined': () => undefined,
};

describe('Status of unexpected errors', () => {
  after(() => {
    for (const server of brokenServers) server.close();
  });

  for (const [name, make] of Object.entries(UNAVAILABLE_ERRORS))
    it(`an unexpected error returns 503 and Retry-After: ${name}`, async () => {
      const error = await make();
      const { status, headers } = toAppError(error);
      expect({ status, headers }, String(error)).to.deep.equal({ status: 503, headers: { 'Retry-After': '2' } });
    });

  for (const [name, make] of Object.entries(DEFECTS))
    it(`an unexpected error returns 500: ${name}`, async () => {
      const error = await make();
      expect(toAppError(error).status, String(error)).to.equal(500);
    });
});

/** The pause of a client between two calls. Without it, the clients would occupy the processor during the outage. */
const CLIENT_PAUSE_MS = 50;

/** Starts clients that repeat a small project's usual calls. `replies` holds each reply's status and Retry-After. */
const clientsOf = async (url: string) => {
  const email = 'owner@example.com';
  const account = { email, password: PASSWORD, firstname: 'Ann', lastname: 'Lee' };
  await call('POST', `${url}/v3/auth/signup`, { body: account });
  const { body: session } = await call('POST', `${url}/v3/auth/signin`, { body: { email, password: PASSWORD } });
  const headers = { authorization: session.token };
  const { body: project } = await call('POST', `${url}/v3/projects`, { headers, body: { name: 'Project' } });
  const root = `${url}/v3/${project._id}`;
  let number = 0;
  const calls = [
    () => call('GET', `${url}/v3/projects`, { headers }),
    () => call('GET', `${root}/tags`, { headers }),
    () => call('POST', `${root}/tags`, { headers, body: { tag: `tag ${number++}` } }),
    () =>
      call('POST', `${root}/requests/support-group-${project._id}-${number++}/messages`, {
        headers,
        body: { text: 'Hello' },
      }),
    () =>
      call('POST', `${root}/tags`, {
        headers: { ...headers, 'idempotency-key': `key ${number}` },
        body: { tag: `tag ${number++}` },
      }),
  ];
  const replies: { status: number; retryAfter: unknown }[] = [];
  let leaving = false;
  const clients = [...calls, ...calls, ...calls, ...calls].map(async (ask) => {
    while (!leaving) {
      const { status, headers: replyHeaders } = await ask();
      replies.push({ status, retryAfter: replyHeaders['retry-after'] });
      await sleep(CLIENT_PAUSE_MS);
    }
  });
  const leaveConnection = () => {
    leaving = true;
    return Promise.all(clients);
  };
  return { replies, leave: leaveConnection };
};

describe('MongoDB outage', () => {
  it('F7: while MongoDB is down after being killed, an API process answers each call with 2xx or with 503 and Retry-After, and logs no stack trace', async () => {
    const folder = await aTemporaryFolder('killed-');
    const mongodb = await aDedicatedDatabase('mongodb', folder);
    const uri = mongodb.url.replace(/\/[^/?]*(\?|$)/, '/unavailable$1');
    const { url, output, stop } = await anApiProcess({ MONGODB_URI: uri, QUEUE_PREFIX: `killed-${process.pid}` });
    try {
      const { replies, leave } = await clientsOf(url);
      const countReplies = (status: number, minimum: number) => {
        const from = replies.length;
        return waitUntil(() => replies.slice(from).filter((reply) => reply.status === status).length >= minimum);
      };
      await countReplies(200, 20);
      await mongodb.kill();
      await countReplies(503, 20);
      await mongodb.restart();
      await countReplies(200, 20);
      await leave();
      const others = replies.filter(
        ({ status, retryAfter }) => status >= 300 && !(status === 503 && retryAfter === '2'),
      );
      expect(others).to.deep.equal([]);
      expect(output()).to.not.include('"stack"');
    } finally {
      await stop('SIGKILL');
      await mongodb.kill();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
