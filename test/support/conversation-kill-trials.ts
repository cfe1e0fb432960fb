/**
 * Messages while every process and service is killed in turn; afterwards messages, events and conversations must agree.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { relayState } from '#shared/domain/events/relay-lease.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { readLog, waitForRelay } from './changes-log.ts';
import { aDedicatedDatabase } from './dedicated-database.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import { aLoadClient, type LoadClient } from './load-clients.ts';
import { random } from './seeded-random.ts';
import { useDatabase } from './use-database.ts';

const PACE_MEASURE_MS = 600;
const MAX_PAUSE_MS = 600;

interface FleetProcesses {
  /** Two workers that may relay; the second one has all other queues, too. */
  workers: [FleetProcess, FleetProcess];
  api: Promise<FleetProcess>;
}

const replaceWorker = async (crew: FleetProcesses, index: 0 | 1, make: () => Promise<FleetProcess>): Promise<void> => {
  await crew.workers[index].end('SIGKILL');
  crew.workers[index] = await make();
};

const victimsOf = (fleet: Fleet, crew: FleetProcesses, mongodb: Awaited<ReturnType<typeof aDedicatedDatabase>>) => ({
  relay: () => replaceWorker(crew, 0, () => fleet.worker('--queues', 'relay')),
  api: async () => {
    const dying = await crew.api;
    crew.api = dying.end('SIGKILL').then(fleet.api);
    await crew.api;
  },
  worker: () => replaceWorker(crew, 1, () => fleet.worker()),
  redis: fleet.killRedis,
  mongodb: async () => {
    await mongodb.kill();
    await mongodb.restart();
  },
});

/** A whole system with its own MongoDB and Redis; until it is closed, the models of this process read its database. */
export const aKillableSystem = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mortal-'));
  const mongodb = await aDedicatedDatabase('mongodb', join(folder, 'mongodb'));
  const goBack = await useDatabase(mongodb.url);
  const fleet = await aFleet();
  const [relay, worker, api] = await Promise.all([fleet.worker('--queues', 'relay'), fleet.worker(), fleet.api()]);
  const crew: FleetProcesses = { workers: [relay, worker], api: Promise.resolve(api) };
  return {
    victims: victimsOf(fleet, crew, mongodb),
    url: async () => (await crew.api).url,
    close: async () => {
      await fleet.close();
      await goBack();
      await mongodb.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

/** A system of which every part can be killed. */
export type KillableSystem = Awaited<ReturnType<typeof aKillableSystem>>;

const expectMessagesOnce = async ({ id_project, conversations, acknowledged, refused }: LoadClient): Promise<void> => {
  expect(refused.slice(0, 3)).to.deep.equal([]);
  const stored = await Message.find({ id_project, sender: { $ne: 'system' } }, { text: 1 }).lean();
  const ids = acknowledged.map(({ _id }) => _id).toSorted();
  expect(stored.map(({ _id }) => String(_id)).toSorted()).to.deep.equal(ids);
  const log = await readLog(id_project);
  expect(log.map(({ position }) => position)).to.deep.equal(log.map(({ position }) => position).toSorted());
  const messageEvents = log.filter(({ event, payload }) => event === 'message.create' && payload.sender !== 'system');
  expect(messageEvents.map(({ record }) => String(record)).toSorted()).to.deep.equal(ids);
  const words = new Map(acknowledged.map(({ _id, text }) => [_id, text]));
  for (const { record, payload } of messageEvents) {
    expect(payload).to.include({ text: words.get(String(record)) });
    expect(payload.request).to.be.an('object');
  }
  expect(log.filter(({ event }) => event === 'request.create')).to.have.length(conversations.length);
};

/** Expects that each conversation has its last message and was written once for each message after the first. */
const expectConversationsConsistent = async ({ id_project }: LoadClient): Promise<void> => {
  const log = (await readLog(id_project)).filter(({ event }) => event === 'message.create');
  const byConversation = Map.groupBy(log, ({ payload }) => payload.recipient as string);
  for (const [request_id, messages] of byConversation) {
    const request = await Conversation.findOne({ id_project, request_id }, { attributes: 1, __v: 1 }).lean();
    expect(String(request?.attributes.last_message._id), request_id).to.equal(messages.at(-1)?.record);
    expect(request?.__v, request_id).to.be.at.least(messages.length - 1);
  }
};

const randomPause = () => sleep(random() * MAX_PAUSE_MS);

/** Kills each part once: the next process while the previous one restarts, databases only when all processes run. */
const killEachPart = async ({ relay, api, worker, redis, mongodb }: KillableSystem['victims']): Promise<void> => {
  const back: Promise<void>[] = [];
  for (const kill of [relay, api, worker]) {
    await randomPause();
    back.push(kill());
  }
  await Promise.all(back);
  for (const kill of [redis, mongodb]) {
    await randomPause();
    await kill();
  }
};

/** How often every part is killed, and the load as a share of the highest rate. */
interface Kills {
  rounds: number;
  share: number;
}

/** Kills every part in turn, at random moments under load; returns a summary. */
export const survivesKillsOfAllParts = async (
  { victims, url }: KillableSystem,
  { rounds, share }: Kills,
): Promise<string> => {
  const talker = await aLoadClient(url);
  await talker.hurry(PACE_MEASURE_MS); // opens the conversations, and warms up
  const most = await talker.hurry(PACE_MEASURE_MS);
  let over = false;
  const talking = talker.keepPace(most * share, () => over);
  for (const _ of times(rounds, Number)) await killEachPart(victims);
  over = true;
  await talking;
  await waitForRelay(60);
  await expectMessagesOnce(talker);
  await expectConversationsConsistent(talker);
  await talker.close();
  const lag = JSON.stringify((await relayState())?.lag);
  return `${talker.acknowledged.length} messages, ${Math.round(most * share)}/s asked of ${Math.round(most)}/s; lag in milliseconds ${lag}`;
};
