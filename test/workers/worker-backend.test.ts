/**
 * The Redis commands of a worker whose queue is empty, lost jobs that such a worker finds, and its reconnection to a
 * cluster. BullMQ signals a new job with a marker, a key in Redis.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { newId } from '#shared/context.ts';
import { connectQueues, enqueue, getQueue } from '#shared/queue/queue.ts';
import { blockingRedis, connectRedis, queueKeyPrefix } from '#shared/queue/redis.ts';
import { workerBackend } from '../../workers/worker-backend.ts';
import { aOneMasterCluster } from '../support/redis-cluster.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';

const QUEUE = 'files';
const STALLED_INTERVAL_MS = 1;
const WAIT_SECONDS = 0.01;

describe('A worker of an empty queue', () => {
  const connection = blockingRedis() as Redis;
  const commands: string[] = [];
  const send = connection.sendCommand;
  let worker: Worker;
  let isStopping = false;

  before(async () => {
    await connectQueues();
    connection.sendCommand = (...args) => {
      commands.push(args[0].name);
      return send.apply(connection, args);
    };
    const backend = workerBackend({ connection, drainDelay: WAIT_SECONDS, isStopping: () => isStopping });
    const options = { connection, prefix: queueKeyPrefix(QUEUE), stalledInterval: STALLED_INTERVAL_MS };
    worker = new Worker(QUEUE, null, options, backend);
    await worker.waitUntilReady();
  });
  beforeEach(async () => {
    await getQueue(QUEUE).obliterate({ force: true });
    commands.length = 0;
    isStopping = false;
  });
  after(async () => {
    await getQueue(QUEUE).obliterate({ force: true });
    await worker.close();
    connection.disconnect();
  });

  const addJob = () => enqueue('files.make-thumbnail', { id_project: newId(), file: newId() });

  /** Looks for stalled jobs. Waits first, because BullMQ makes at most one check per `STALLED_INTERVAL_MS`. */
  const findStalled = async (): Promise<string[]> => {
    await sleep(10 * STALLED_INTERVAL_MS);
    return worker.backend.moveStalledJobsToWait();
  };

  it('sends one command to find out that no job can have stalled', async () => {
    expect(await findStalled()).to.deep.equal([]);
    expect(commands).to.deep.equal(['exists']);
  });

  it('sends one command after each of eleven waits without a job, and tries to fetch a job after the twelfth', async () => {
    expect(await worker.backend.waitForJob(WAIT_SECONDS)).to.equal(null);
    expect(commands).to.deep.equal(Array(11).fill('exists'));
  });

  it('does not wait again while the worker is being closed', async () => {
    isStopping = true;
    expect(await worker.backend.waitForJob(WAIT_SECONDS)).to.equal(null);
    expect(commands).to.deep.equal(['exists']);
  });

  it('sends no command after a wait for a delayed job, whose time differs from that of other waits', async () => {
    expect(await worker.backend.waitForJob(2 * WAIT_SECONDS)).to.equal(null);
    expect(commands).to.deep.equal([]);
  });

  it('finds, at the second check, a job whose worker was killed', async () => {
    await addJob();
    const job = await worker.getNextJob('token', { block: false });
    await connection.del(worker.toKey(`${job?.id}:lock`)); // the lock of a killed worker expires
    expect(await findStalled()).to.deep.equal([]);
    expect(await findStalled()).to.deep.equal([job?.id]);
  });

  it('tries to fetch a job after one wait if a job is waiting, although its marker was lost', async () => {
    await addJob();
    await connection.del(worker.toKey('marker'));
    commands.length = 0;
    expect(await worker.backend.waitForJob(WAIT_SECONDS)).to.equal(null);
    expect(commands).to.deep.equal(['exists']);
  });
});

describe('The reconnection of a worker to a cluster', () => {
  it('succeeds when the cluster, which was incomplete at first, is complete again', async () => {
    const cluster = await aOneMasterCluster(await aTemporaryFolder('cluster-'));
    const connection = connectRedis(cluster.url, { maxRetriesPerRequest: null });
    const backend = workerBackend({ connection, drainDelay: WAIT_SECONDS, isStopping: () => false });
    const worker = new Worker(QUEUE, null, { connection, prefix: queueKeyPrefix(QUEUE) }, backend);
    await worker.waitUntilReady();
    const client = await worker.backend.blockingClient;
    const refused = new Promise<void>((resolve) => client?.once('reconnecting', resolve));
    await cluster.removeSlot(0);
    await worker.backend.disconnectBlocking();
    const reconnected = worker.backend.reconnectBlocking();
    await refused;
    await cluster.addSlots(0);
    await reconnected;
    expect(client?.status).to.equal('ready');
    await worker.close();
    connection.disconnect();
    await cluster.close();
  });
});
