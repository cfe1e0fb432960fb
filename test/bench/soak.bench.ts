/**
 * Runs an API and a worker for half an hour at 70% of their capacity, and expects that memory, open handles, keys in
 * Redis, lag and queues do not grow. The load consists of cycles: the calls of a visitor and an owner about one
 * conversation, from the first message to the close. The capacity is measured first, in cycles per second.
 */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { countPending, listeners } from '#shared/domain/events/listeners.ts';
import { relayState } from '#shared/domain/events/relay-lease.ts';
import { readQueueFigures } from '#shared/domain/operations/queue-figures.ts';
import { failFastRedis, openRedis } from '#shared/queue/redis.ts';
import { aFleetOn } from '../support/fleet.ts';
import { waitUntil } from '../support/wait-until.ts';
import { percentile } from './parts/interleaved-rounds.ts';
import { startProductionFleet } from './parts/production-fleet.ts';
import { createSoakLoad } from './parts/soak-load.ts';
import { residentMbOf } from './parts/usage.ts';

const SOAK_SECONDS = Number(process.env.SOAK_SECONDS ?? 1800);
const CAPACITY_SECONDS = 60;
const CLIENTS = 20;
const LOAD_SHARE = 0.7;
const SAMPLE_SECONDS = 15;
const DRAIN_SECONDS = 120;

type Sample = Record<string, number>;

/**
 * By how much the median in the last quarter of the run may exceed the median in the second quarter: by a share of the
 * latter plus an amount.
 */
const MAX_GROWTH: Record<string, { share: number; amount: number }> = {
  'API, MB': { share: 0.1, amount: 0 },
  'worker, MB': { share: 0.1, amount: 0 },
  'API, handles': { share: 0, amount: 10 },
  'worker, handles': { share: 0, amount: 10 },
  'keys in Redis': { share: 0.1, amount: 100 },
  'Redis, MB': { share: 0.1, amount: 2 },
  'lag of the relay, s': { share: 0, amount: 1 },
  'pending events': { share: 0.5, amount: 200 },
  'oldest job, s': { share: 0, amount: 2 },
  'running cycles': { share: 0.5, amount: 10 },
};

const handlesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

const countPendingEvents = async (): Promise<number> => {
  const counts = await Promise.all(listeners.map((each) => countPending(each)));
  return counts.reduce((sum, count) => sum + count, 0);
};

const startSystem = async () => {
  const {
    api,
    worker,
    close: closeFleet,
  } = await startProductionFleet((settings) => aFleetOn(config.REDIS_URL, settings));
  const redis = failFastRedis({ lazyConnect: true });
  await openRedis(redis);
  const sample = async (): Promise<Sample> => {
    const state = await relayState();
    const usedBytes = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    return {
      'API, MB': residentMbOf(api.pid),
      'worker, MB': residentMbOf(worker.pid),
      'API, handles': handlesOf(api.pid),
      'worker, handles': handlesOf(worker.pid),
      'keys in Redis': await redis.dbsize(),
      'Redis, MB': usedBytes / 1_000_000,
      'lag of the relay, s': (Date.now() - (state?.relayedUntil?.getTime() ?? 0)) / 1000,
      'pending events': await countPendingEvents(),
      'oldest job, s': Math.max(...(await readQueueFigures()).map(({ oldestAgeSeconds }) => oldestAgeSeconds)),
    };
  };
  const close = async () => {
    redis.disconnect();
    await closeFleet();
  };
  return { url: api.url, sample, close };
};

/** Takes and prints a sample every 15 seconds while `work` runs. Returns the samples. */
const sampleDuring = async (takeSample: () => Promise<Sample>, work: () => Promise<void>): Promise<Sample[]> => {
  const samples: Sample[] = [];
  let isRunning = true;
  const sampling = (async () => {
    while (isRunning) {
      await sleep(SAMPLE_SECONDS * 1000);
      const sample = await takeSample();
      const figures = Object.entries(sample).map(([name, value]) => `${name} ${value.toFixed(0)}`);
      console.log(`      ${figures.join('; ')}`);
      samples.push(sample);
    }
  })();
  await work();
  isRunning = false;
  await sampling;
  return samples;
};

const quarterMedian = (samples: Sample[], name: string, quarter: number): number => {
  const size = Math.floor(samples.length / 4);
  return percentile(
    samples.slice((quarter - 1) * size, quarter * size).map((each) => each[name] as number),
    0.5,
  );
};

describe('Soak', function soak() {
  this.timeout((SOAK_SECONDS + CAPACITY_SECONDS + 4 * DRAIN_SECONDS) * 1000);

  let system: Awaited<ReturnType<typeof startSystem>>;
  let load: Awaited<ReturnType<typeof createSoakLoad>>;

  before(async () => {
    system = await startSystem();
    load = await createSoakLoad(system.url);
  });
  after(async () => {
    await load.close();
    await system.close();
  });

  it(`memory, handles, keys, lag and queues do not grow in ${SOAK_SECONDS} s at ${LOAD_SHARE * 100}% of the capacity`, async () => {
    const start = performance.now();
    await load.runAtFullSpeed(CAPACITY_SECONDS, CLIENTS);
    expect(load.failures.slice(0, 3)).to.deep.equal([]);
    await waitUntil(async () => (await countPendingEvents()) === 0, DRAIN_SECONDS);
    const perSecond = load.counts().cycles / ((performance.now() - start) / 1000);
    console.log(
      `      capacity: ${perSecond.toFixed(1)} cycles (8 calls each) per second, measured until all events were handled`,
    );

    let allEnded = false;
    const takeSample = async () => ({ ...(await system.sample()), 'running cycles': load.counts().running });
    const samples = await sampleDuring(takeSample, async () => {
      await load.runAtRate(SOAK_SECONDS, LOAD_SHARE * perSecond);
      allEnded = await waitUntil(async () => load.counts().running === 0, DRAIN_SECONDS).then(
        () => true,
        () => false,
      );
    });

    const medians = Object.keys(MAX_GROWTH).map((name) => {
      const [second, last] = [quarterMedian(samples, name, 2), quarterMedian(samples, name, 4)];
      const largest = Math.max(...samples.map((each) => each[name] as number));
      console.log(
        `      ${name}: median ${second.toFixed(1)} in the second quarter, ${last.toFixed(1)} in the last quarter; maximum ${largest.toFixed(1)}`,
      );
      return { name, second, last };
    });
    console.log(`      ${load.counts().cycles} cycles, ${load.failures.length} failed`);
    expect(load.failures.slice(0, 3)).to.deep.equal([]);
    expect(allEnded, `all cycles end within ${DRAIN_SECONDS} s`).to.equal(true);
    for (const { name, second, last } of medians) {
      const { share, amount } = MAX_GROWTH[name] as { share: number; amount: number };
      expect(last, name).to.be.at.most(second * (1 + share) + amount);
    }
  });
});
