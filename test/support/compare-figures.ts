/** Compares the figures of analytics that the API returns with the same figures computed from the records. */
import { expect } from 'chai';
import { COUNTED_MEMBERSHIP } from '#shared/domain/analytics/read-facts.ts';
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import { CustomEvent } from '#shared/models/custom-event.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from './api.ts';
import { groupAddedTags, groupConversations, groupRecords, type RawQuery } from './raw-figures.ts';
import { readConversationGroups, readMessageGroups, readTimesByDay, type RawTimes } from './raw-groups.ts';

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

/** Rows in a fixed order, with normalized ids. */
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
  /** Expects that the API returns these rows for a figure, in any order. */
  compare(path: string, expected: Row[]): Promise<void>;
}

const DAY = ['year', 'month', 'day'];
const PERIODS = Object.entries({ day: DAY, week: ['year', 'month', 'week'], month: ['year', 'month'] });

const totalOf = (rows: Row[]): Row[] => rows.map(({ count }) => ({ totalCount: count }));

const STATUS_NAMES = new Map<unknown, string>([
  [CONVERSATION_STATUS.served, 'assigned'],
  [CONVERSATION_STATUS.unserved, 'unassigned'],
  [CONVERSATION_STATUS.closed, 'archived'],
]);

const namedStatuses = (rows: Row[]): Row[] =>
  rows.map(({ _id, count }) => ({ _id: STATUS_NAMES.get((_id as Row).status), count }));

const MEANS = { waiting: 'waiting_time_avg', duration: 'duration_avg', satisfaction: 'satisfaction_avg' } as const;

const compareConversations = async ({ query, compare }: Comparison): Promise<void> => {
  const groups = await readConversationGroups(query);
  await compare('requests/count', totalOf(groups.counts([])));
  await compare('requests/hasBot/count', totalOf(groups.where(({ hasBot }) => hasBot === true).counts([])));
  for (const [name, parts] of PERIODS) await compare(`requests/aggregate/${name}`, groups.counts(parts));
  await compare('requests/aggregate/hours', groups.counts(['hour']));
  await compare('requests/aggregate/dayoftheweek/hours', groups.counts(['weekday', 'hour']));
  await compare('requests/aggregate/hasBot/day', groups.counts([...DAY, 'hasBot']));
  await compare('requests/aggregate/status', namedStatuses(groups.counts(['status'])));
  await compare('requests/aggregate/status/day', groups.counts([...DAY, 'status']));
  const byPage = { more: { sourcePage: '$sourcePage' } };
  await compare('requests/aggregate/sourcePage', await groupConversations(query, [], byPage));
  for (const [path, mean] of Object.entries(MEANS)) {
    const whole = groups.means([], mean).map((row) => ({ ...row, _id: query.id_project }));
    if (path !== 'duration') await compare(`requests/${path}`, whole);
    await compare(`requests/${path}/day`, groups.means(DAY, mean));
    await compare(`requests/${path}/month`, groups.means(['year', 'month'], mean));
  }
};

type Days = Awaited<ReturnType<typeof readTimesByDay>>;

const comparePercentiles = async ({ read }: Comparison, name: keyof RawTimes, times: Days): Promise<void> => {
  const path = `requests/${name}/percentiles`;
  const days = new Map(times.flatMap((each) => (each[name].length ? [[normalId(each._id), each[name]]] : [])));
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
  const groups = await readMessageGroups(query);
  await compare('messages/count', totalOf(groups.counts([])));
  for (const [name, parts] of PERIODS) await compare(`messages/aggregate/${name}`, groups.counts(parts));
  await compare('messages/aggregate/sender', groups.counts(['sender']));
  await compare('requests/aggregate/attributes/_answerid', groups.counts(['_answerid']));
};

/** The rows of added tags, from the reply with one series per tag. */
const tagRows = ({ dates, series }: { dates: string[]; series: { name: string; values: number[] }[] }): Row[] =>
  series.flatMap(({ name: tag, values }) =>
    values.flatMap((count, index) => {
      const [day, month, year] = (dates[index] as string).split('/').map(Number);
      return count ? [{ _id: { year, month, day, tag }, count }] : [];
    }),
  );

const compareOthers = async ({ query, read, compare }: Comparison): Promise<number> => {
  const visitors = { ...query, filter: COUNTED_MEMBERSHIP };
  await compare('project_users/count', totalOf(await groupRecords(ProjectUser, visitors, { names: [] })));
  for (const [name, names] of PERIODS)
    await compare(`project_users/aggregate/${name}`, await groupRecords(ProjectUser, visitors, { names }));
  const byName = { names: DAY, more: { name: '$name' } };
  await compare('events/aggregate/day', await groupRecords(CustomEvent, query, byName));
  const tags = (await read('tags/conversation-tag')) as unknown as Parameters<typeof tagRows>[0];
  const rows = tagRows(tags);
  expect(normalize(rows)).to.deep.equal(normalize(await groupAddedTags(query)));
  return rows.length;
};

/**
 * Compares every figure of conversations in one period and time zone; without a filter by participant, also the figures
 * of messages; without any filter, also those of visitors, custom events and tags. Returns the number of compared rows.
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
  const compare = async (path: string, expected: Row[]): Promise<void> => {
    const rows = await read(path);
    expect(normalize(rows), `${path}?${text}`).to.deep.equal(normalize(expected));
    compared += rows.length;
  };
  const comparison = { query, read, compare };
  await compareConversations(comparison);
  const times = await readTimesByDay(query);
  await comparePercentiles(comparison, 'waiting', times);
  await comparePercentiles(comparison, 'duration', times);
  if (!filter.participants) await compareMessages(comparison);
  if (!Object.keys(filter).length) compared += await compareOthers(comparison);
  return compared;
};
