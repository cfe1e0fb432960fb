/** Conversations while everything dies in turn; afterwards each message, its event and its conversation must agree. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { state } from '#shared/domain/events/relay.ts';
import { Message } from '#shared/models/message.ts';
import { Request } from '#shared/models/request.ts';
import { caughtUp, logged } from './changes.ts';
import { moveTo } from './elsewhere.ts';
import { aFleet, type Fleet, type Member } from './fleet.ts';
import { anOwnDatabase } from './own-database.ts';
import { times } from './stage.ts';
import { aTalker, type Talker } from './talkers.ts';

const MEASURE_MS = 600;
const MAX_PAUSE_MS = 600;

interface Crew {
  /** Two that may relay, the second one with all other work. */
  workers: [Member, Member];
  api: Promise<Member>;
}

const replace = async (crew: Crew, place: 0 | 1, make: () => Promise<Member>): Promise<void> => {
  await crew.workers[place].end('SIGKILL');
  crew.workers[place] = await make();
};

const victimsOf = (fleet: Fleet, crew: Crew, mongodb: Awaited<ReturnType<typeof anOwnDatabase>>) => ({
  relay: () => replace(crew, 0, () => fleet.worker('--queues', 'relay')),
  api: async () => {
    const dying = await crew.api;
    crew.api = dying.end('SIGKILL').then(fleet.api);
    await crew.api;
  },
  worker: () => replace(crew, 1, () => fleet.worker()),
  redis: fleet.killRedis,
  mongodb: async () => {
    await mongodb.kill();
    await mongodb.restart();
  },
});

/** A whole system on a MongoDB and a Redis of its own; until it is closed, the models of this process read it. */
export const aMortalSystem = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mortal-'));
  const mongodb = await anOwnDatabase('mongodb', join(folder, 'mongodb'));
  const goBack = await moveTo(mongodb.url);
  const fleet = await aFleet();
  const [relay, worker, api] = await Promise.all([fleet.worker('--queues', 'relay'), fleet.worker(), fleet.api()]);
  const crew: Crew = { workers: [relay, worker], api: Promise.resolve(api) };
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

/** A system whose every part may be killed. */
export type MortalSystem = Awaited<ReturnType<typeof aMortalSystem>>;

const expectEachOnce = async ({ id_project, conversations, acknowledged, refused }: Talker): Promise<void> => {
  expect(refused.slice(0, 3)).to.deep.equal([]);
  const stored = await Message.find({ id_project, sender: { $ne: 'system' } }, { text: 1 }).lean();
  const ids = acknowledged.map(({ _id }) => _id).toSorted();
  expect(stored.map(({ _id }) => String(_id)).toSorted()).to.deep.equal(ids);
  const log = await logged(id_project);
  expect(log.map(({ position }) => position)).to.deep.equal(log.map(({ position }) => position).toSorted());
  const told = log.filter(({ event, payload }) => event === 'message.create' && payload.sender !== 'system');
  expect(told.map(({ record }) => String(record)).toSorted()).to.deep.equal(ids);
  const words = new Map(acknowledged.map(({ _id, text }) => [_id, text]));
  for (const { record, payload } of told) {
    expect(payload).to.include({ text: words.get(String(record)) });
    expect(payload.request).to.be.an('object');
  }
  expect(log.filter(({ event }) => event === 'request.create')).to.have.length(conversations.length);
};

/** Each conversation knows its last message, and was written once for each after the first. */
const expectAgreement = async ({ id_project }: Talker): Promise<void> => {
  const log = (await logged(id_project)).filter(({ event }) => event === 'message.create');
  const byConversation = Map.groupBy(log, ({ payload }) => payload.recipient as string);
  for (const [request_id, said] of byConversation) {
    const request = await Request.findOne({ id_project, request_id }, { attributes: 1, __v: 1 }).lean();
    expect(String(request?.attributes.last_message._id), request_id).to.equal(said.at(-1)?.record);
    expect(request?.__v, request_id).to.be.at.least(said.length - 1);
  }
};

const pause = () => sleep(Math.random() * MAX_PAUSE_MS);

/** Each once: processes come back while the next one dies, what they stand on only when all of them are there. */
const killAll = async ({ relay, api, worker, redis, mongodb }: MortalSystem['victims']): Promise<void> => {
  const back: Promise<void>[] = [];
  for (const kill of [relay, api, worker]) {
    await pause();
    back.push(kill());
  }
  await Promise.all(back);
  for (const kill of [redis, mongodb]) {
    await pause();
    await kill();
  }
};

/** How often every part is killed, and under which share of the greatest pace. */
interface Kills {
  rounds: number;
  share: number;
}

/** Kill every part in turn, at random moments under load; tells what went on. */
export const underAllKills = async ({ victims, url }: MortalSystem, { rounds, share }: Kills): Promise<string> => {
  const talker = await aTalker(url);
  await talker.hurry(MEASURE_MS); // opens the conversations, and warms up
  const most = await talker.hurry(MEASURE_MS);
  let over = false;
  const talking = talker.keepPace(most * share, () => over);
  for (const _ of times(rounds, Number)) await killAll(victims);
  over = true;
  await talking;
  await caughtUp(60);
  await expectEachOnce(talker);
  await expectAgreement(talker);
  await talker.close();
  const lag = JSON.stringify((await state())?.lag);
  return `${talker.acknowledged.length} messages, ${Math.round(most * share)}/s asked of ${Math.round(most)}/s; lag in milliseconds ${lag}`;
};
