import { expect } from 'chai';
import { countRecordsOfEvents } from '#shared/domain/analytics/count-events.ts';
import { Bot } from '#shared/models/bot.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { seededRandom } from '../../scripts/seed/seeded-random.ts';
import { insertConversations } from '../support/analytics-records.ts';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { groupConversations, MEANS } from '../support/raw-figures.ts';

const SEED = 17;
const DAY_MS = 86_400_000;
const DAYS = 60;
const BOUND = 0.01;

type Row = { _id: Record<string, number | string>; count: number; [field: string]: unknown };

/** Returns the quantile `q` of the values, interpolated as in a spreadsheet. */
const quantileOf = (values: number[], q: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const rank = q * (sorted.length - 1);
  const [low = 0, high = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return low + (rank - Math.floor(rank)) * (high - low);
};

/** A project with random conversations, each in one of two departments and with an agent, a bot, both, or neither. */
const aCountedProject = async () => {
  const people = await aProject();
  const id_project = people.project.id;
  const random = seededRandom(SEED);
  const now = Date.now();
  const sales = await Department.create({ id_project, name: 'Sales', createdBy: 'x' });
  const bot = await Bot.create({ id_project, name: 'Helper', createdBy: 'x' });
  const [agent, helper] = [people.agent.id, `bot_${String(bot._id)}`];
  const { conversations, events } = await insertConversations(id_project, { count: 400, messagesEach: 0, random, now });
  const departments = [
    String(sales._id),
    String((await Department.findOne({ id_project, default: true }).orFail())._id),
  ];
  await Conversation.bulkWrite(
    conversations.map(({ _id }, index) => ({
      updateOne: {
        filter: { id_project, _id },
        update: {
          department: departments[index % 3 ? 0 : 1],
          participants: [agent, helper].filter(() => random() < 0.6),
        },
      },
    })) as never,
    { timestamps: false } as never,
  );
  await countRecordsOfEvents(events);
  const query = { id_project, from: new Date(now - DAYS * DAY_MS), to: new Date(now - DAY_MS), timezone: 'UTC' };
  const read = async (path: string, parameters: Record<string, string> = {}): Promise<Row[]> => {
    const period = { start: query.from.toISOString(), end: query.to.toISOString(), ...parameters };
    const { status, body } = await api(people.admin).get(
      `/v3/${id_project}/analytics/requests/${path}?${new URLSearchParams(period).toString()}`,
    );
    expect(status).to.equal(200);
    return body as Row[];
  };
  return { ...people, departments, agent, helper, query, read };
};

describe('GET /v3/:project_id/analytics/requests by day and group', () => {
  let counted: Awaited<ReturnType<typeof aCountedProject>>;

  before(async () => {
    counted = await aCountedProject();
  });

  for (const timezone of ['UTC', 'Asia/Kathmandu', 'America/New_York'])
    it(`duration/percentiles/day returns the percentiles of each day in ${timezone} with an error of at most 1%`, async () => {
      const { query, read } = counted;
      const values = { $push: { $subtract: ['$closed_at', '$createdAt'] } };
      const days = await groupConversations({ ...query, timezone }, ['year', 'month', 'day'], { sums: { values } });
      const exact = new Map(days.map(({ _id, values: found }) => [JSON.stringify(_id), found as (number | null)[]]));
      const rows = await read('duration/percentiles/day', { timezone });
      expect(rows.length).to.be.above(DAYS / 3);
      for (const { _id, count, median, p90 } of rows) {
        const { year, month, day } = _id;
        const closed = (exact.get(JSON.stringify({ year, month, day })) ?? []).filter((each) => each !== null);
        expect(count).to.equal(closed.length);
        expect((median as number) / quantileOf(closed, 0.5)).to.be.closeTo(1, BOUND);
        expect((p90 as number) / quantileOf(closed, 0.9)).to.be.closeTo(1, BOUND);
      }
      const sortable = rows.map(({ _id }) => Date.UTC(Number(_id.year), Number(_id.month) - 1, Number(_id.day)));
      expect(sortable).to.deep.equal(sortable.toSorted((one, other) => one - other));
      const measured = (found: unknown) => (found as (number | null)[]).some((each) => each !== null);
      expect(rows.length).to.equal(days.filter(({ values: found }) => measured(found)).length);
    });

  it('aggregate/department and aggregate/participant return the exact figures and the name of each group', async () => {
    const { query, read, departments, agent, helper } = counted;
    const sums = { ...MEANS, count: { $sum: 1 }, bots: { $sum: { $cond: ['$hasBot', 1, 0] } } };
    const round = (row: Record<string, unknown>) =>
      JSON.parse(
        JSON.stringify(row, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(10)) : value)),
      );
    const expected = async (filter: object, _id: object, name: string) => {
      const [row] = await groupConversations({ ...query, filter: filter as never }, [], { sums });
      return round({ ...row, _id, name });
    };
    const byCount = (rows: Row[]) => rows.toSorted((one, other) => other.count - one.count);
    const [sales = '', support = ''] = departments;
    expect((await read('aggregate/department')).map(round)).to.deep.equal(
      byCount([
        await expected({ department: sales }, { department: sales }, 'Sales'),
        await expected({ department: support }, { department: support }, 'Default Department'),
      ]),
    );
    expect((await read('aggregate/participant')).map(round)).to.deep.equal(
      byCount([
        await expected({ participants: agent }, { participant: agent }, 'Ann Lee'),
        await expected({ participants: helper }, { participant: helper }, 'Helper'),
      ]),
    );
    expect(
      (await read('aggregate/participant', { department_id: sales, participant: agent })).map(round),
    ).to.deep.equal([await expected({ participants: agent, department: sales }, { participant: agent }, 'Ann Lee')]);
  });
});
