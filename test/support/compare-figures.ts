/** Compares the figures of the API with figures that are computed from the records. */
import { expect } from 'chai';
import { COUNTED_MEMBERSHIP } from '#shared/domain/analytics/read-facts.ts';
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import { CustomEvent } from '#shared/models/custom-event.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from './api.ts';
import {
  groupAddedTags,
  groupConversations,
  groupMessages,
  groupRecords,
  MEANS,
  type RawQuery,
  timesByDay,
} from './raw-figures.ts';

/** The maximum relative error of percentiles that the documentation promises. */
const QUANTILE_BOUND = 0.01;

type Row = Record<string, unknown>;

const roundMeans = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ]),
  );
/** An id with sorted fields; absent fields are omitted. */
const normalId = (id: unknown): string => {
  if (typeof id !== 'object' || id === null) return String(id);
  const fields = Object.entries(id).filter(([, value]) => value != null);
  return JSON.stringify(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

/** Rows in a fixed order, with normal ids. */
const normalize = (rows: Row[]): string[] =>
  rows.map((row) => JSON.stringify({ ...roundMeans(row), _id: normalId(row._id) })).toSorted();

/** Returns the quantile `q` of sorted values, interpolated as in a spreadsheet. */
const quantileOf = (sorted: number[], q: number): number => {
  const rank = q * (sorted.length - 1);
  const [low = 0, high = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return low + (rank - Math.floor(rank)) * (high - low);
};

const expectQuantiles = ({ count, median, p90, p99 }: Row, values: number[], text: string): void => {
  const sorted = values.toSorted((one, other) => one - other);
  expect(count, text).to.equal(sorted.length);
  for (const [value, q] of [
    [median, 0.5],
    [p90, 0.9],
    [p99, 0.99],
  ] as const) {
    const exact = quantileOf(sorted, q);
    // Durations below a millisecond are counted as zero.
    if (!sorted.length || exact === 0) expect(value ?? 0, text).to.equal(0);
    else expect(Math.abs((value as number) / exact - 1), `${text} ${q}`).to.be.at.most(QUANTILE_BOUND);
  }
};

/** The figures of one period, time zone and set of filters. */
interface Comparison {
  query: RawQuery;
  read(path: string): Promise<Row[]>;
  /** Expects that a figure returns these rows, in any order. */
  compare(path: string, expected: Promise<Row[]>): Promise<void>;
}

const DAY = ['year', 'month', 'day'] as const;
const PERIODS = { day: [...DAY], week: ['year', 'month', 'week'], month: ['year', 'month'] } as const;
const periods = Object.entries(PERIODS).map(([name, parts]) => [name, [...parts]] as const);

const totalOf = async (rows: Promise<Row[]>): Promise<Row[]> =>
  (await rows).map(({ count }) => ({ totalCount: count }));

const STATUS_NAMES = new Map<unknown, string>([
  [CONVERSATION_STATUS.served, 'assigned'],
  [CONVERSATION_STATUS.unserved, 'unassigned'],
  [CONVERSATION_STATUS.closed, 'archived'],
]);

const namedStatuses = async (rows: Promise<Row[]>): Promise<Row[]> =>
  (await rows).map(({ _id, count }) => ({ _id: STATUS_NAMES.get((_id as Row).status), count }));

const compareConversationCounts = async ({ query, compare }: Comparison): Promise<void> => {
  const bots = { ...query, filter: { ...query.filter, hasBot: true } };
  await compare('requests/count', totalOf(groupConversations(query, [])));
  await compare('requests/hasBot/count', totalOf(groupConversations(bots, [])));
  for (const [name, parts] of periods)
    await compare(`requests/aggregate/${name}`, groupConversations(query, [...parts]));
  await compare('requests/aggregate/hours', groupConversations(query, ['hour']));
  await compare('requests/aggregate/dayoftheweek/hours', groupConversations(query, ['weekday', 'hour']));
  const byBot = { more: { hasBot: '$hasBot' } };
  await compare('requests/aggregate/hasBot/day', groupConversations(query, [...DAY], byBot));
  const byStatus = { more: { status: '$status' } };
  await compare('requests/aggregate/status', namedStatuses(groupConversations(query, [], byStatus)));
  await compare('requests/aggregate/status/day', groupConversations(query, [...DAY], byStatus));
  const byPage = { more: { sourcePage: '$sourcePage' } };
  await compare('requests/aggregate/sourcePage', groupConversations(query, [], byPage));
};

const compareMeans = async ({ query, compare }: Comparison): Promise<void> => {
  for (const [path, name] of [
    ['waiting', 'waiting_time_avg'],
    ['duration', 'duration_avg'],
    ['satisfaction', 'satisfaction_avg'],
  ] as const) {
    const sums = { [name]: MEANS[name] };
    const whole = async () =>
      (await groupConversations(query, [], { sums })).map((row) => ({ ...row, _id: query.id_project }));
    if (path !== 'duration') await compare(`requests/${path}`, whole());
    await compare(`requests/${path}/day`, groupConversations(query, [...DAY], { sums }));
    await compare(`requests/${path}/month`, groupConversations(query, ['year', 'month'], { sums }));
  }
};

const comparePercentiles = async ({ query, read }: Comparison, name: 'waiting' | 'duration'): Promise<void> => {
  const path = `requests/${name}/percentiles`;
  const days = new Map((await timesByDay(query, name)).map(({ _id, values }) => [normalId(_id), values]));
  const all = [...days.values()].flat();
  const [whole = { count: 0 }] = await read(path);
  expectQuantiles(whole, all, path);
  const rows = await read(`${path}/day`);
  expect(rows.map(({ _id }) => normalId(_id)).toSorted(), path).to.deep.equal([...days.keys()].toSorted());
  for (const row of rows) expectQuantiles(row, days.get(normalId(row._id)) ?? [], `${path} ${normalId(row._id)}`);
  if (name === 'waiting') return;
  const [median] = await read('requests/duration');
  expect(median?.duration_avg ?? null).to.equal(whole.median ?? null);
};

const compareMessages = async ({ query, compare }: Comparison): Promise<void> => {
  await compare('messages/count', totalOf(groupMessages(query, [])));
  for (const [name, parts] of periods) await compare(`messages/aggregate/${name}`, groupMessages(query, [...parts]));
  await compare('messages/aggregate/sender', groupMessages(query, [], { sender: '$sender' }));
  const answers = groupMessages(query, [], { _answerid: '$attributes._answerid' });
  await compare('requests/aggregate/attributes/_answerid', answers);
};

/** The rows of added tags, from the reply with one series per tag. */
const tagRows = ({ dates, series }: { dates: string[]; series: { name: string; values: number[] }[] }): Row[] =>
  series.flatMap(({ name: tag, values }) =>
    values.flatMap((count, index) => {
      const [day, month, year] = (dates[index] as string).split('/').map(Number);
      return count ? [{ _id: { year, month, day, tag }, count }] : [];
    }),
  );

const compareOthers = async ({ query, read, compare }: Comparison): Promise<void> => {
  const visitors = { ...query, filter: COUNTED_MEMBERSHIP };
  await compare('project_users/count', totalOf(groupRecords(ProjectUser, visitors, { names: [] })));
  for (const [name, parts] of periods)
    await compare(`project_users/aggregate/${name}`, groupRecords(ProjectUser, visitors, { names: [...parts] }));
  const byName = { names: [...DAY], more: { name: '$name' } };
  await compare('events/aggregate/day', groupRecords(CustomEvent, query, byName));
  const tags = (await read('tags/conversation-tag')) as unknown as Parameters<typeof tagRows>[0];
  expect(normalize(tagRows(tags))).to.deep.equal(normalize(await groupAddedTags(query)));
};

/**
 * Compares every figure of conversations and messages in one period and time zone; without filters, also those of
 * visitors, custom events and tags. Returns the number of rows.
 */
export const compareFigures = async (
  admin: Caller,
  { query, parameters = {} }: { query: RawQuery; parameters?: Record<string, string> },
): Promise<number> => {
  const { id_project, from, to, timezone, filter = {} } = query;
  const period = { start: from.toISOString(), end: to.toISOString(), timezone, ...parameters };
  const text = new URLSearchParams(period).toString();
  let compared = 0;
  const read = async (path: string): Promise<Row[]> => {
    const { status, body } = await api(admin).get(`/v3/${id_project}/analytics/${path}?${text}`);
    expect(status, path).to.equal(200);
    return body as Row[];
  };
  const compare = async (path: string, expected: Promise<Row[]>): Promise<void> => {
    const [rows, raw] = await Promise.all([read(path), expected]);
    expect(normalize(rows), `${path}?${text}`).to.deep.equal(normalize(raw));
    compared += rows.length;
  };
  const comparison = { query, read, compare };
  await compareConversationCounts(comparison);
  await compareMeans(comparison);
  await comparePercentiles(comparison, 'waiting');
  await comparePercentiles(comparison, 'duration');
  if (!filter.participants) await compareMessages(comparison);
  if (!Object.keys(filter).length) await compareOthers(comparison);
  return compared;
};
