/**
 * Trials that replace the primary of MongoDB, or a master of Redis, under load. Afterwards, every acknowledged message
 * must exist once and in order, with one event. Sockets must have received each change once, and webhooks must have
 * delivered each event in order. Every process of the system must still be running.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Message } from '#shared/models/message.ts';
import { readLogHeads, waitForRelay } from './changes-log.ts';
import { expectConversationsConsistent, expectMessagesOnce } from './message-expectations.ts';
import { aFleetOn, type FleetProcess } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import { aLoadClient, type LoadClient } from './load-clients.ts';
import type { Disturbance } from './replica-set.ts';
import { random } from './seeded-random.ts';
import { followBySockets } from './socket-followers.ts';
import { aTemporaryFolder } from './temporary-folder.ts';
import { waitUntil } from './wait-until.ts';
import { followByWebhooks } from './webhook-receivers.ts';

const MAX_PAUSE_MS = 1500;
/** The minimum rate, in messages per second: high enough that a recovery is noticed soon, even on a busy machine. */
const MIN_RATE = 8;
/** The time within which messages must be acknowledged again after a disturbance. */
const MAX_RECOVERY_SECONDS = 15;
/** How long a trial waits for a message to be acknowledged again, so that even a slow recovery is measured. */
const PATIENCE_SECONDS = 120;
const RELAY_SECONDS = 300;
const DELIVERED_EVENTS = ['request.create', 'message.create'];

interface ServiceAddresses {
  /** By default the MongoDB of the suite. */
  mongodbUri?: string;
  redisUrl: string;
}

/**
 * Settings for long trials at high load: with the shorter leases of other trials, a busy process loses its jobs to
 * another one.
 */
export const LONG_LEASES = { LEASE_SECONDS: '20' };

/** The number of processes of each kind, and their settings. */
interface SystemSize {
  apis: number;
  workers: number;
  settings?: Record<string, string>;
}

/** Starts APIs and workers. Until the system is closed, the models of this process read its database. */
export const aSystemOn = async (
  { mongodbUri, redisUrl }: ServiceAddresses,
  { apis: apiCount, workers, settings }: SystemSize,
) => {
  const suiteUri = config.MONGODB_URI;
  config.MONGODB_URI = mongodbUri ?? suiteUri;
  const fleet = await aFleetOn(redisUrl, settings);
  const apis = await Promise.all(times(apiCount, fleet.api));
  const processes = [...apis, ...(await Promise.all(times(workers, () => fleet.worker())))];
  let calls = 0;
  return {
    fleet,
    apis,
    processes,
    /** Returns the URLs of the APIs in turn. */
    url: async () => (apis[calls++ % apis.length] as FleetProcess).url,
    close: async () => {
      config.MONGODB_URI = suiteUri;
      await fleet.close();
    },
  };
};

/** A running system. */
export type System = Awaited<ReturnType<typeof aSystemOn>>;

/** A folder for the data of databases; `remove` deletes it. */
export const aDataFolder = async () => {
  const folder = await aTemporaryFolder('failover-');
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
};

/** The size of a trial. */
export interface FailoverPlan {
  times: number;
  /** The load, as a share (0 to 1) of the highest rate of messages. */
  share: number;
  /** The duration in milliseconds of the warm-up, and that of the subsequent measurement of the highest rate. */
  measureMs: number;
  sockets: number;
}

/** Begins a disturbance, such as a failover. `index` is its number in the trial, from 0. */
type Disturb = (index: number) => Promise<Disturbance>;

/** Disturbs the system once. Returns the seconds until a message that was sent afterwards was acknowledged. */
const disturbOnce = async (disturb: () => Promise<Disturbance>, client: LoadClient) => {
  await sleep(random() * MAX_PAUSE_MS);
  const { name, restore } = await disturb();
  const began = performance.now();
  await waitUntil(() => client.lastSentAt() > began, PATIENCE_SECONDS);
  const seconds = (performance.now() - began) / 1000;
  await restore();
  return { name, seconds };
};

const expectInOrder = async ({ id_project, conversations, acknowledged }: LoadClient): Promise<void> => {
  const log = (await readLogHeads(id_project)).filter(({ event }) => event === 'message.create');
  const sent = Map.groupBy(acknowledged, ({ recipient }) => recipient);
  for (const recipient of conversations) {
    const ids = (sent.get(recipient) ?? []).map(({ _id }) => _id);
    const stored = await Message.find({ id_project, recipient, sender: { $ne: 'system' } }, { _id: 1 })
      .sort({ createdAt: 1, _id: 1 })
      .lean();
    expect(
      stored.map(({ _id }) => String(_id)),
      recipient,
    ).to.deep.equal(ids);
    const own = log.filter(({ payload }) => payload.recipient === recipient && payload.sender !== 'system');
    expect(
      own.map(({ record }) => record),
      recipient,
    ).to.deep.equal(ids);
  }
};

const hasEnded = ({ pid }: FleetProcess): boolean => {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
};

/** Describes the recoveries after each kind of disturbance: the shortest, the longest and the median, in seconds. */
const summarize = (recoveries: { name: string; seconds: number }[]): string =>
  [...Map.groupBy(recoveries, ({ name }) => name)]
    .map(([name, own]) => {
      const sorted = own.map(({ seconds }) => seconds).toSorted((one, other) => one - other);
      const [min, middle, max] = [0, Math.floor(sorted.length / 2), sorted.length - 1].map((i) =>
        sorted[i]?.toFixed(1),
      );
      return `${sorted.length} × ${name}: a message acknowledged again after ${min} to ${max} s, median ${middle} s`;
    })
    .join('; ');

/** Disturbs the system again and again under load, and checks everything. Returns a summary. */
export const failOverUnderLoad = async ({ url, processes }: System, disturb: Disturb, plan: FailoverPlan) => {
  const client = await aLoadClient(url, { isOrdered: true });
  const webhooks = await followByWebhooks(client.id_project, DELIVERED_EVENTS);
  const followers = await followBySockets(client, plan.sockets);
  await client.sendAtFullSpeed(plan.measureMs); // opens the conversations and warms up the APIs
  const rate = Math.max(MIN_RATE, (await client.sendAtFullSpeed(plan.measureMs)) * plan.share);
  let isStopped = false;
  const sending = client.sendAtRate(rate, () => isStopped);
  const recoveries: Awaited<ReturnType<typeof disturbOnce>>[] = [];
  for (const index of times(plan.times, Number)) recoveries.push(await disturbOnce(() => disturb(index), client));
  isStopped = true;
  await sending;
  await waitForRelay(RELAY_SECONDS);
  expect(processes.filter(hasEnded).map(({ output }) => output())).to.deep.equal([]);
  await expectMessagesOnce(client);
  await expectInOrder(client);
  await expectConversationsConsistent(client);
  const frames = await followers.complete();
  await followers.stop();
  const delivered = await webhooks.complete();
  await client.close();
  const failures = Object.fromEntries(client.failures);
  expect(Object.keys(failures).filter((name) => name !== '503 with Retry-After')).to.deep.equal([]);
  expect(Math.max(...recoveries.map(({ seconds }) => seconds))).to.be.at.most(MAX_RECOVERY_SECONDS);
  return [
    summarize(recoveries),
    `${client.acknowledged.length} messages at ${Math.round(rate)}/s, each once and in order`,
    `failed attempts to post a message ${JSON.stringify(failures)}`,
    frames,
    delivered,
  ].join('; ');
};
