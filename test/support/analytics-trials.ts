/**
 * Trials of analytics. A rebuild and listeners count conversations while processes are killed. Every figure is then
 * compared with the figure that is computed from the records.
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
import { Message } from '#shared/models/message.ts';
import { seededRandom } from '../../scripts/seed/seeded-random.ts';
import {
  aConversation,
  aMessage,
  randomChange,
  type RandomConversation,
  randomTime,
  seedConversations,
} from './analytics-records.ts';
import { ZONES } from './analytics-zones.ts';
import { compareFigures } from './compare-figures.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import { aProject, type Person } from './people.ts';
import { waitUntil } from './wait-until.ts';

const SEED = 17;
const DAY_MS = 86_400_000;

const LISTENER = 'events.update-analytics';
const WORKER_QUEUES = ['--queues', 'events,relay,maintenance,bulk'];
const WORKER_COUNT = 3;
const MAX_PAUSE_MS = 6000;
const CHANGES_PER_ROUND = 500;
const MAX_CHANGES = 20_000;

type Random = () => number;

/** The project of a trial. */
export interface AnalyticsProject {
  id_project: string;
  admin: Person;
  random: Random;
  now: number;
}

const log = (text: string): void => console.log(`      ${text}`);

/** Runs `work` and prints its result and its duration. */
export const timed = async (work: () => Promise<string>): Promise<void> => {
  const start = performance.now();
  const result = await work();
  log(`${result} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
};

/** A project whose conversations are not counted yet. */
export const aSeededProject = async (count: number): Promise<AnalyticsProject> => {
  const { project, admin } = await aProject();
  const seeded = { id_project: project.id, admin, random: seededRandom(SEED), now: Date.now() };
  await timed(async () => {
    await seedConversations(seeded.id_project, { ...seeded, count, messagesEach: 2 });
    return `${count} conversations inserted`;
  });
  return seeded;
};

const percentsIn = (output: string): number[] =>
  [...output.matchAll(/: (\d+) %/g)].map(([, percent]) => Number(percent));

/** Runs `analytics rebuild`, kills it at some percentages, and runs it to its end. Returns its last line of output. */
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

const changeSome = async (conversations: RandomConversation[], random: Random): Promise<void> => {
  const updates = conversations.map(({ id_project, _id, createdAt }) => ({
    updateOne: { filter: { id_project, _id }, update: randomChange(random, createdAt) },
  }));
  await Conversation.bulkWrite(updates, emits('request.update'));
};

const sample = (id_project: string, size: number): Promise<RandomConversation[]> =>
  Conversation.aggregate([{ $match: { id_project } }, { $sample: { size } }]);

/** Changes, creates and deletes records of the 13 months, each with its event. Returns a summary. */
const disturbRecords = async ({ id_project, random, now }: AnalyticsProject): Promise<string> => {
  const quarter = Math.ceil(CHANGES_PER_ROUND / 4);
  const found = await sample(id_project, CHANGES_PER_ROUND + quarter);
  const late = times(quarter, () => aConversation(id_project, random, randomTime(random, now)));
  await changeSome(found.slice(0, CHANGES_PER_ROUND), random);
  const asNew = <D extends { _id: unknown }>(records: D[]) =>
    records.map((each) => ({ ...each, _id: String(each._id) }));
  await insertMissingRecords(Conversation, asNew(late), emits('request.create'));
  const messages = [...found, ...late].slice(-2 * quarter).map((each) => aMessage(each, random));
  await insertMissingRecords(Message, asNew(messages), emits('message.create'));
  for (const { request_id } of found.slice(-quarter)) await remove({ id_project, request_id });
  return `${CHANGES_PER_ROUND} changes, ${quarter} late conversations, ${2 * quarter} messages, ${quarter} deletions`;
};

const killWorkers = async (
  fleet: Fleet,
  workers: FleetProcess[],
  { kills, random }: { kills: number; random: Random },
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

/** Changes records while workers count them and are killed, until every event is handled. Then replays all events. */
export const countUnderKills = async (
  fleet: Fleet,
  project: AnalyticsProject,
  { conversations, kills }: { conversations: number; kills: number },
): Promise<void> => {
  const start = await cursorOf(LISTENER);
  const workers = await Promise.all(times(WORKER_COUNT, () => fleet.worker(...WORKER_QUEUES)));
  const rounds = Math.ceil(Math.min(conversations / 10, MAX_CHANGES) / CHANGES_PER_ROUND);
  const disturb = async () => {
    for (const _ of times(rounds, Number)) await disturbRecords(project);
  };
  await timed(async () => {
    await Promise.all([disturb(), killWorkers(fleet, workers, { kills, random: project.random })]);
    const eventsPerRound = CHANGES_PER_ROUND * 2;
    await waitUntil(() => isDone(rounds * eventsPerRound, project.id_project), 1200);
    return `${rounds} rounds of changes, ${kills} workers killed`;
  });
  await timed(async () => {
    const replay = fleet.cli('listeners', 'replay', LISTENER, '--after', start);
    expect(await replay.exited, replay.output()).to.equal(0);
    await waitUntil(() => isDone(0, project.id_project), 1200);
    return replay.output().trim();
  });
  await Promise.all(workers.map((worker) => worker.end()));
};

/** Compares every figure with the records in four time zones, for all records and for a part of them, with filters. */
export const compareInZones = async ({ id_project, admin, now }: AnalyticsProject): Promise<void> => {
  for (const timezone of ZONES)
    await timed(async () => {
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
      return `${timezone}: ${rows.join(' + ')} rows equal`;
    });
};

/** Expects that a dry run finds no difference between rollups, contributions and records. */
export const expectNoDifferences = (fleet: Fleet, { id_project }: AnalyticsProject): Promise<void> =>
  timed(async () => {
    const command = fleet.cli('analytics', 'rebuild', id_project, '--dry-run');
    expect(await command.exited, command.output()).to.equal(0);
    return command.output().trim().split('\n').at(-1) ?? '';
  });

/** A fleet without processes, whose workers do not close idle conversations. */
export const anAnalyticsFleet = (): Promise<Fleet> => aFleet({ CLOSE_IDLE_BOTS: 'false' });
