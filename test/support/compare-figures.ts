/** Compares the figures of the API with figures that are computed from the records. */
import { expect } from 'chai';
import { api, type Caller } from './api.ts';
import { durations, groupConversations, groupMessages, MEANS, type RawQuery } from './raw-figures.ts';

/** The maximum relative error of medians that the documentation promises. */
const MEDIAN_BOUND = 0.01;

type Row = Record<string, unknown>;

const roundMeans = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ]),
  );
/** Rows in a fixed order, with the fields of `_id` sorted. */
const normalize = (rows: Row[]): string[] =>
  rows
    .map((row) => {
      const id = row._id as Row;
      const fields =
        typeof id === 'object'
          ? Object.entries(id)
              .filter(([, value]) => value != null)
              .toSorted(([one], [other]) => (one < other ? -1 : 1))
          : id;
      return JSON.stringify({ ...roundMeans(row), _id: fields });
    })
    .toSorted();

const medianOf = (sorted: number[]): number | null => {
  if (!sorted.length) return null;
  const rank = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(rank)] as number) + (sorted[Math.ceil(rank)] as number)) / 2;
};

/** Compares every figure of conversations and messages in one period and time zone. Returns the number of rows. */
export const compareFigures = async (
  admin: Caller,
  { query, parameters = {} }: { query: RawQuery; parameters?: Record<string, string> },
): Promise<number> => {
  const { id_project, from, to, timezone } = query;
  const text = String(
    new URLSearchParams({ start: from.toISOString(), end: to.toISOString(), timezone, ...parameters }),
  );
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
  const { participants: _, ...messageFilter } = query.filter ?? {};
  const messages = { ...query, filter: messageFilter };
  const mean = (name: string) => ({ [name]: MEANS[name] });
  const projectMean = async (name: string) =>
    (await groupConversations(query, [], { sums: mean(name) })).map((row) => ({ ...row, _id: id_project }));
  await compare('requests/aggregate/day', groupConversations(query, ['year', 'month', 'day']));
  await compare('requests/aggregate/week', groupConversations(query, ['year', 'month', 'week']));
  await compare('requests/aggregate/month', groupConversations(query, ['year', 'month']));
  await compare('requests/aggregate/hours', groupConversations(query, ['hour']));
  await compare('requests/aggregate/dayoftheweek/hours', groupConversations(query, ['weekday', 'hour']));
  const byBot = { more: { hasBot: '$hasBot' } };
  await compare('requests/aggregate/hasBot/day', groupConversations(query, ['year', 'month', 'day'], byBot));
  const byStatus = { more: { status: '$status' } };
  await compare('requests/aggregate/status/day', groupConversations(query, ['year', 'month', 'day'], byStatus));
  const byPage = { more: { sourcePage: '$sourcePage' } };
  await compare('requests/aggregate/sourcePage', groupConversations(query, [], byPage));
  for (const [path, name] of [
    ['waiting', 'waiting_time_avg'],
    ['satisfaction', 'satisfaction_avg'],
  ] as const) {
    await compare(`requests/${path}`, projectMean(name));
    await compare(`requests/${path}/day`, groupConversations(query, ['year', 'month', 'day'], { sums: mean(name) }));
    await compare(`requests/${path}/month`, groupConversations(query, ['year', 'month'], { sums: mean(name) }));
  }
  const durationMeans = { sums: mean('duration_avg') };
  await compare('requests/duration/day', groupConversations(query, ['year', 'month', 'day'], durationMeans));
  await compare('requests/duration/month', groupConversations(query, ['year', 'month'], durationMeans));
  if (!query.filter?.participants) {
    await compare('messages/aggregate/day', groupMessages(messages, ['year', 'month', 'day']));
    await compare('messages/aggregate/month', groupMessages(messages, ['year', 'month']));
    await compare('messages/aggregate/sender', groupMessages(messages, [], { sender: '$sender' }));
    const answers = groupMessages(messages, [], { _answerid: '$attributes._answerid' });
    await compare('requests/aggregate/attributes/_answerid', answers);
  }
  const [median] = await read('requests/duration');
  const exact = medianOf(await durations(query));
  if (exact === null) expect(median?.duration_avg ?? null).to.equal(null);
  else expect(Math.abs((median?.duration_avg as number) / exact - 1)).to.be.at.most(MEDIAN_BOUND);
  return compared;
};
