/** Rollups of analytics, compared with the records that they count. F24 is a failure described in docs/failures.md. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { rebuild } from '#shared/domain/analytics/rebuild.ts';
import { totalsSeries } from '#shared/domain/analytics/day-totals.ts';
import { countRecordsOfEvents } from '#shared/domain/analytics/count-events.ts';
import type { OrderedEvent } from '#shared/domain/events/listeners.ts';
import { AnalyticsContribution } from '#shared/models/analytics-contribution.ts';
import { AnalyticsRollup } from '#shared/models/analytics-rollup.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { seededRandom } from '../../scripts/seed/seeded-random.ts';
import { changeConversation, deleteConversation, insertConversations } from '../support/analytics-records.ts';
import { api } from '../support/api.ts';
import { compareFigures } from '../support/compare-figures.ts';
import { storeRollups } from '../support/dense-rollups.ts';
import { countReturned, expectIndexes, queriesDuring } from '../support/explain.ts';
import { aProject } from '../support/people.ts';

const SEED = 17;
const DAY_MS = 86_400_000;
/**
 * Time zones on both sides of UTC, with and without daylight saving time; Nepal is 5 hours and 45 minutes ahead of UTC.
 * The test of a rebuild covers UTC itself.
 */
const ZONES = ['Asia/Kathmandu', 'America/New_York'];
const COLLECTIONS = ['requests', 'messages', 'analytics_rollups', 'analytics_contributions'];

/** Counts the events in a process that is killed right after its second commit. */
const countKilled = async (events: OrderedEvent[]): Promise<void> => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'analytics-')), 'events.json');
  await writeFile(file, JSON.stringify(events));
  const moment = ['commandSucceeded', 'commitTransaction', '2'];
  const dying = fork(new URL('../support/counting-process.ts', import.meta.url), [file, ...moment]);
  const [, signal] = await once(dying, 'exit');
  expect(signal).to.equal('SIGKILL');
};

/** A project with a visitor in its rollups, and random conversations with their events, which are not yet counted. */
const aCountedProject = async (count: number) => {
  const people = await aProject();
  const id_project = people.project.id;
  const random = seededRandom(SEED);
  const now = Date.now();
  const { conversations, events } = await insertConversations(id_project, { count, messagesEach: 2, random, now });
  const visitor = await ProjectUser.findOne({ id_project, role: 'guest' }).orFail();
  const record = String(visitor._id);
  const visit = { id: record, id_project, event: 'projectuser.create', record, position: '0', orderingKey: record };
  await countRecordsOfEvents([visit]);
  return { ...people, id_project, random, now, conversations, events };
};

describe('Analytics rollups', function () {
  this.timeout(120_000);

  it('rollups agree with the records after changes, deletions, late and repeated events, and the death of a worker', async () => {
    const { id_project, admin, random, now, conversations, events } = await aCountedProject(160);
    const late = events.splice(0, 100);
    await countKilled(events);
    await countRecordsOfEvents(events);
    const changed = await Promise.all(conversations.slice(0, 80).map((each) => changeConversation(each, random)));
    const deleted = await Promise.all(conversations.slice(60, 100).map((each) => deleteConversation(each)));
    await countRecordsOfEvents([...deleted, ...changed, ...late]);
    await countRecordsOfEvents([...events.slice(0, 50), ...deleted]);
    let rows = 0;
    for (const timezone of ZONES) {
      const whole = { id_project, timezone, from: new Date(now - 400 * DAY_MS), to: new Date(now + DAY_MS) };
      rows += await compareFigures(admin, { query: whole });
      if (!timezone.startsWith('A')) continue;
      const part = {
        ...whole,
        from: new Date(now - 200 * DAY_MS - 123_456),
        to: new Date(now - 20 * DAY_MS + 7_654_321),
      };
      const filter = { department: 'sales', 'channel.name': 'email' };
      const narrow = { query: { ...part, filter: { ...filter, participants: 'agent-1' } } };
      const parameters = { department_id: 'sales', channel: 'email', participant: 'agent-1' };
      rows += await compareFigures(admin, { ...narrow, parameters });
    }
    expect(rows).to.be.above(1000);
    expect(await rebuild(id_project, { dryRun: true })).to.deep.equal({ records: 0, rows: 0 });
  });

  it('rollups count messages in the current department of their conversation', async () => {
    const { id_project, admin, conversations, events } = await aCountedProject(20);
    await countRecordsOfEvents(events);
    const count = async (department_id: string): Promise<number> => {
      const period = 'start=2000-01-01';
      const { body } = await api(admin).get(
        `/v3/${id_project}/analytics/messages/count?${period}&department_id=${department_id}`,
      );
      return (body as { totalCount: number }[])[0]?.totalCount ?? 0;
    };
    const all = (await count('support')) + (await count('sales')) + (await count('billing'));
    await Conversation.updateMany({ id_project }, { department: 'moved' });
    const moves = events.filter(({ event }) => event === 'request.create');
    await countRecordsOfEvents(moves);
    expect(await count('moved'))
      .to.equal(all)
      .and.to.be.above(0);
    expect(await count('sales')).to.equal(0);
    expect(await AnalyticsContribution.countDocuments({ id_project, recountMessages: true })).to.equal(0);
    expect(conversations.length).to.equal(moves.length);
  });

  it('rollups are removed when all records that they count are deleted', async () => {
    const { id_project, conversations, events } = await aCountedProject(30);
    await countRecordsOfEvents(events);
    await countRecordsOfEvents(await Promise.all(conversations.map((each) => deleteConversation(each))));
    const subject = 'project_users';
    const others = { $nin: [subject, totalsSeries(subject)] };
    expect(await AnalyticsRollup.countDocuments({ id_project, series: others })).to.equal(0);
    expect(await AnalyticsContribution.countDocuments({ id_project, subject: { $ne: subject } })).to.equal(0);
  });

  it('a rebuild compares the rollups with the records and corrects the rollups', async () => {
    const { id_project, admin, now } = await aCountedProject(40);
    const counted = await rebuild(id_project);
    expect(counted.records).to.be.above(40);
    await AnalyticsRollup.deleteMany({ id_project, series: 'requests' });
    await AnalyticsRollup.updateMany({ id_project, series: 'messages' }, { columns: {} });
    await AnalyticsContribution.deleteOne({ id_project, subject: 'requests' });
    const differences = await rebuild(id_project, { dryRun: true });
    expect(differences.rows).to.be.above(0);
    expect(await rebuild(id_project)).to.not.deep.equal({ records: 0, rows: 0 });
    expect(await rebuild(id_project, { dryRun: true })).to.deep.equal({ records: 0, rows: 0 });
    const block = { id_project, series: totalsSeries('requests'), 'columns.waitingBins': { $exists: true } };
    await AnalyticsRollup.updateOne(block, { $unset: { 'columns.waitingBins': 1 } });
    expect(await rebuild(id_project, { dryRun: true })).to.deep.equal({ records: 0, rows: 1 });
    expect(await rebuild(id_project)).to.deep.equal({ records: 0, rows: 1 });
    const query = { id_project, timezone: 'UTC', from: new Date(now - 400 * DAY_MS), to: new Date(now + DAY_MS) };
    expect(await compareFigures(admin, { query })).to.be.above(40);
  });

  it('a call for a figure over 13 months reads at most 10% more rollups for many conversations than for few', async () => {
    const figures = ['requests/satisfaction', 'requests/waiting/month', 'requests/aggregate/week', 'messages/count'];
    const median = 'requests/duration';
    const grouped = ['messages/aggregate/sender', 'requests/aggregate/sourcePage'];
    const rowsRead = async (count: number) => {
      const { project, admin } = await aProject();
      await storeRollups(project.id, { count, random: seededRandom(SEED), now: Date.UTC(2026, 10, 20, 12) });
      const rows: Record<string, number> = {};
      for (const figure of [...figures, median, ...grouped]) {
        const path = `/v3/${project.id}/analytics/${figure}?start=2000-01-01`;
        rows[figure] = await countReturned(await queriesDuring(['analytics_rollups'], () => api(admin).get(path)));
      }
      return rows;
    };
    const [few, many] = [await rowsRead(800), await rowsRead(4000)];
    for (const figure of figures) expect(many[figure], figure).to.equal(few[figure]).and.to.be.within(13, 14);
    expect(many[median], median).to.equal(few[median]).and.to.be.within(26, 28);
    // Rollups are read in blocks of 32 days. The period contains only some days of the first and last blocks. If there
    // are few conversations, there may be no rollup of a sender or source page on these days.
    for (const figure of grouped) expect(many[figure], figure).to.be.at.most((few[figure] ?? 0) * 1.1);
  });

  it('F24: an analytics call reads rollups only, with the same number of queries for many conversations as for few', async () => {
    const { id_project, admin, random, now, events } = await aCountedProject(60);
    await countRecordsOfEvents(events);
    const figures = ['requests/count', 'requests/waiting/month', 'requests/aggregate/hours', 'requests/duration'];
    const query = `start=${new Date(now - 40 * DAY_MS).toISOString().slice(0, 10)}`;
    const readAll = async (): Promise<string[][]> => {
      const names: string[][] = [];
      for (const figure of figures) {
        const call = () => api(admin).get(`/v3/${id_project}/analytics/${figure}?${query}`);
        const queries = await queriesDuring(COLLECTIONS, call);
        await expectIndexes(queries);
        names.push(queries.map(({ kind, command }) => String(command[kind])));
      }
      return names;
    };
    const daysOf = () => AnalyticsRollup.countDocuments({ id_project, series: 'requests' });
    const [before, days] = [await readAll(), await daysOf()];
    expect(new Set(before.flat())).to.deep.equal(new Set(['analytics_rollups']));
    const more = { count: 180, messagesEach: 0, random, now };
    await countRecordsOfEvents((await insertConversations(id_project, more)).events);
    expect(await readAll()).to.deep.equal(before);
    expect(days).to.be.at.most(396);
    expect(await daysOf()).to.be.at.most(396);
  });
});
