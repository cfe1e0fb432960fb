/**
 * Trials of analytics. The command `analytics rebuild` and workers count conversations, and are killed meanwhile. Every
 * figure is then compared with the figure that is computed from the records.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { countPending, cursorOf, findListener } from '#shared/domain/events/listeners.ts';
import { remove } from '#shared/domain/conversations/lifecycle/delete.ts';
import { insertMissingRecords } from '#shared/database/raw-write.ts';
import { emits } from '#shared/events.ts';
import { Change } from '#shared/models/change.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { CustomEvent } from '#shared/models/custom-event.ts';
import { Message } from '#shared/models/message.ts';
import { RelayState } from '#shared/models/relay-state.ts';
import {
  aConversation,
  aCustomEvent,
  aMessage,
  randomChange,
  type RandomConversation,
  randomTime,
} from './analytics-records.ts';
import { ZONES } from './analytics-zones.ts';
import { compareFigures } from './compare-figures.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import type { AnalyticsProject } from './seed-analytics.ts';
import { printDuration } from './print-duration.ts';
import { waitUntil } from './wait-until.ts';

const DAY_MS = 86_400_000;

const LISTENER = 'events.update-analytics';
const WORKER_QUEUES = ['--queues', 'events,relay,maintenance,bulk'];
const WORKER_COUNT = 3;
const MAX_PAUSE_MS = 6000;
const CHANGES_PER_ROUND = 500;
/** Each round creates, tags and deletes this number of conversations, and creates as many custom events. */
const RECORDS_PER_ROUND = 125;
const MAX_CHANGES = 6000;

const percentsIn = (output: string): number[] =>
  [...output.matchAll(/: (\d+)%/g)].map(([, percent]) => Number(percent));

/**
 * Runs `analytics rebuild`, kills it twice, when its progress reaches certain percentages, and then runs it to
 * completion. Returns the last line of its output.
 */
export const rebuildUnderKills = async (fleet: Fleet, { id_project }: AnalyticsProject): Promise<string> => {
  let reached = 0;
  for (const percent of [20, 50]) {
    const command = fleet.cli('analytics', 'rebuild', id_project);
    await waitUntil(() => percentsIn(command.output()).some((each) => each >= percent), 1800);
    command.kill();
    expect(await command.exited).to.equal(null);
    expect(percentsIn(command.output())[0]).to.be.at.least(reached);
    reached = percent;
  }
  const last = fleet.cli('analytics', 'rebuild', id_project);
  expect(await last.exited, last.output()).to.equal(0);
  expect(percentsIn(last.output())[0]).to.be.at.least(reached);
  return last.output().trim().split('\n').at(-1) ?? '';
};

/** Gives new values to all changeable fields that analytics read. Returns the number of events. */
const changeSome = async (conversations: RandomConversation[], random: () => number): Promise<number> => {
  const updates = conversations.map(({ id_project, _id, createdAt }) => ({
    updateOne: { filter: { id_project, _id }, update: randomChange(random, createdAt) },
  }));
  await Conversation.bulkWrite(updates, emits('request.update'));
  return updates.length;
};

/** Adds a tag to conversations. Returns the number of events. */
const tagSome = async (conversations: RandomConversation[]): Promise<number> => {
  const tags = [{ tag: 'vip', color: '#f0806f' }];
  const updates = conversations.map(({ id_project, _id }) => ({
    updateOne: { filter: { id_project, _id }, update: { $set: { tags } } },
  }));
  await Conversation.bulkWrite(updates, emits('request.update', ['request.tag.update', { tags }]));
  return 2 * updates.length;
};

/**
 * Returns up to `size` different random conversations of the project. They are drawn from the whole database, because
 * almost all of its conversations belong to the project.
 */
const sample = async (id_project: string, size: number): Promise<RandomConversation[]> => {
  const found = await Conversation.collection.aggregate<RandomConversation>([{ $sample: { size } }]).toArray();
  return [...new Map(found.map((each) => [String(each._id), each])).values()].filter(
    (each) => each.id_project === id_project,
  );
};

/** Changes, tags, creates and deletes records of the last 13 months, with events. Returns the number of events. */
const disturbRecords = async ({ id_project, admin, random, now }: AnalyticsProject): Promise<number> => {
  const found = await sample(id_project, CHANGES_PER_ROUND + RECORDS_PER_ROUND);
  const [deleted, kept] = [found.slice(0, RECORDS_PER_ROUND), found.slice(RECORDS_PER_ROUND)];
  const late = times(RECORDS_PER_ROUND, () => aConversation(id_project, random, randomTime(random, now)));
  const changes = (await changeSome(kept, random)) + (await tagSome(kept.slice(0, RECORDS_PER_ROUND)));
  const asNew = <D extends { _id: unknown; id_project: string }>(records: D[]) =>
    records.map((each) => ({ ...each, _id: String(each._id) }));
  await insertMissingRecords(Conversation, asNew(late), emits('request.create'));
  const messages = [...deleted, ...late].map((each) => aMessage(each, random));
  await insertMissingRecords(Message, asNew(messages), emits('message.create'));
  const custom = times(RECORDS_PER_ROUND, () => ({
    ...aCustomEvent(id_project, random, { now, name: 'late' }),
    createdBy: admin.id,
  }));
  await insertMissingRecords(CustomEvent, asNew(custom), emits('event.emit.late'));
  for (const { request_id } of deleted) await remove({ id_project, request_id });
  return changes + late.length + messages.length + custom.length + deleted.length;
};

const killWorkers = async (
  fleet: Fleet,
  workers: FleetProcess[],
  { kills, random }: { kills: number; random: () => number },
) => {
  for (const kill of times(kills, Number)) {
    await sleep(random() * MAX_PAUSE_MS);
    const index = kill % workers.length;
    await (workers[index] as FleetProcess).end('SIGKILL');
    workers[index] = await fleet.worker(...WORKER_QUEUES);
  }
};

const isDone = async (written: number, id_project: string): Promise<boolean> => {
  expect(await DeadLetter.findOne({}, { event: 1, message: 1 }, { anyProject: true }).lean()).to.equal(null);
  return (await Change.countDocuments({ id_project })) >= written && !(await countPending(findListener(LISTENER)));
};

/**
 * Waits until the relay has caught up with the changes. If seeding has filled the oplog, the relay first recovers from
 * the loss of oplog entries and may omit events that are emitted in the meantime.
 */
const relayIsReady = async (): Promise<void> => {
  const now = new Date();
  await waitUntil(async () => (await RelayState.exists({ relayedUntil: { $gt: now } })) !== null, 600);
};

/** Changes records while workers count them and are killed, until every event is handled. Then replays all events. */
export const countUnderKills = async (
  fleet: Fleet,
  project: AnalyticsProject,
  { conversations, kills }: { conversations: number; kills: number },
): Promise<void> => {
  const start = await cursorOf(LISTENER);
  const workers = await Promise.all(times(WORKER_COUNT, () => fleet.worker(...WORKER_QUEUES)));
  await printDuration(async () => {
    await relayIsReady();
    return 'the relay has caught up with the changes';
  });
  const rounds = Math.ceil(Math.min(conversations / 10, MAX_CHANGES) / CHANGES_PER_ROUND);
  let emitted = 0;
  const disturb = async () => {
    for (const _ of times(rounds, Number)) emitted += await disturbRecords(project);
  };
  await printDuration(async () => {
    await Promise.all([disturb(), killWorkers(fleet, workers, { kills, random: project.random })]);
    await waitUntil(() => isDone(emitted, project.id_project), 1200);
    return `${rounds} rounds of changes, ${emitted} events counted, ${kills} kills of workers`;
  });
  await printDuration(async () => {
    const replay = fleet.cli('listeners', 'replay', LISTENER, '--after', start);
    expect(await replay.exited, replay.output()).to.equal(0);
    await waitUntil(() => isDone(0, project.id_project), 1200);
    return replay.output().trim();
  });
  await Promise.all(workers.map((worker) => worker.end()));
};

/**
 * Compares every figure with the records in four time zones: for 13 months, and for half a year with and without
 * filters.
 */
export const compareInZones = async ({ id_project, admin, now }: AnalyticsProject): Promise<void> => {
  for (const timezone of ZONES)
    await printDuration(async () => {
      const whole = { id_project, timezone, from: new Date(now - 400 * DAY_MS), to: new Date(now + 2 * DAY_MS) };
      const part = {
        ...whole,
        from: new Date(now - 200 * DAY_MS - 123_456),
        to: new Date(now - 20 * DAY_MS + 7_654_321),
      };
      const filter = { department: 'sales', 'channel.name': 'email', participants: 'agent-1' };
      const parameters = { department_id: 'sales', channel: 'email', participant: 'agent-1' };
      const rows = [
        await compareFigures(admin, { query: whole }),
        await compareFigures(admin, { query: part }),
        await compareFigures(admin, { query: { ...part, filter }, parameters }),
      ];
      return `${timezone}: ${rows.join(' + ')} rows of figures equal those computed from the records`;
    });
};

/** Expects that a dry run finds no difference between rollups, contributions and records. */
export const expectNoDifferences = (fleet: Fleet, { id_project }: AnalyticsProject): Promise<void> =>
  printDuration(async () => {
    const command = fleet.cli('analytics', 'rebuild', id_project, '--dry-run');
    expect(await command.exited, command.output()).to.equal(0);
    return command.output().trim().split('\n').at(-1) ?? '';
  });

/**
 * Creates a fleet (API processes and workers with a database of their own), at first without processes. Its workers do
 * not close idle conversations.
 */
export const anAnalyticsFleet = (): Promise<Fleet> => aFleet({ CLOSE_IDLE_BOTS: 'false' });
