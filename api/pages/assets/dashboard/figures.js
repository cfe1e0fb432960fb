/** Declares which figure of the API each plot, table and tile shows, and how its rows become numbers. */
import { count, duration, hour, longDay, percent, rating, shortDay, WEEKDAYS } from './format.js';

const dayOf = ({ year, month, day }) => [year, ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-');
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Returns the largest value of the first series and when it occurs; undefined if all values are absent or zero. */
const highest = ({ heading, keys, labels, series: [{ values }] }) => {
  const index = values.reduce((best, value, each) => (value > (values[best] ?? 0) ? each : best), 0);
  const when = heading === 'Day' ? `on ${shortDay(keys[index])}` : `at ${labels[index]}`;
  return values[index] ? { when, value: values[index] } : undefined;
};

const byDay =
  (...series) =>
  (rows, days) => {
    const known = new Map(rows.map((row) => [dayOf(row._id), row]));
    return {
      heading: 'Day',
      keys: days,
      labels: days.map(longDay),
      series: series.map(({ of, absent, ...rest }) => ({
        ...rest,
        values: days.map((day) => (known.has(day) ? of(known.get(day)) : absent)),
      })),
    };
  };

const HOURS = Array.from({ length: 24 }, (_, index) => index);

const byHour = (rows) => {
  const known = new Map(rows.map((row) => [row._id.hour, row.count]));
  const values = HOURS.map((each) => known.get(each) ?? 0);
  return {
    heading: 'Hour',
    keys: HOURS,
    labels: HOURS.map(hour),
    series: [{ name: 'Conversations', values, format: count }],
  };
};

/** Merges the rows of each day, with and without a bot, into one row. */
const mergeBots = (rows) => {
  const days = Map.groupBy(rows, ({ _id }) => dayOf(_id));
  return [...days.values()].map((each) => ({
    _id: each[0]._id,
    bots: sum(each.filter(({ _id }) => _id.hasBot).map((row) => row.count)),
    count: sum(each.map((row) => row.count)),
  }));
};

const ofWeek = (rows) => {
  const mondayFirst = [1, 2, 3, 4, 5, 6, 0];
  const known = new Map(rows.map(({ _id, count: found }) => [`${_id.weekday - 1} ${_id.hour}`, found]));
  return mondayFirst.map((weekday) => ({
    name: WEEKDAYS[weekday],
    values: HOURS.map((each) => known.get(`${weekday} ${each}`) ?? 0),
  }));
};

const totalAndPeak = (model) => {
  const total = sum(model.series[0].values);
  const peak = highest(model);
  return peak ? `${count(total)} in total, at most ${count(peak.value)} ${peak.when}.` : 'None in this period.';
};

const longest = (model) => {
  const peak = highest(model);
  return peak ? `Highest median: ${duration(peak.value)} ${peak.when}.` : 'No values in this period.';
};

const counted = { name: 'Conversations', of: (row) => row.count, absent: 0, format: count };
const percentiles = [
  { name: 'Median', of: (row) => row.median, absent: null, format: duration },
  { name: '90th percentile', of: (row) => row.p90, absent: null, format: duration },
];

/** Plots over days or hours. In a plot with `bars`, the values of a series include those of the next series. */
export const PLOTS = [
  {
    ...{ id: 'by-day', title: 'Conversations by day', path: 'requests/aggregate/day', kind: 'bars' },
    ...{ model: byDay(counted), summary: totalAndPeak },
  },
  {
    ...{ id: 'by-hour', title: 'Conversations by hour of the day', path: 'requests/aggregate/hours', kind: 'bars' },
    ...{ model: byHour, summary: totalAndPeak },
  },
  {
    ...{ id: 'waiting', title: 'Waiting time', path: 'requests/waiting/percentiles/day', kind: 'lines' },
    ...{ model: byDay(...percentiles), summary: longest, isDuration: true },
  },
  {
    ...{ id: 'duration', title: 'Duration', path: 'requests/duration/percentiles/day', kind: 'lines' },
    ...{ model: byDay(...percentiles), summary: longest, isDuration: true },
  },
  {
    ...{
      id: 'satisfaction',
      title: 'Satisfaction',
      path: 'requests/satisfaction/day',
      kind: 'lines',
      max: 5,
      axisFormat: count,
    },
    model: byDay({ name: 'Mean rating', of: (row) => row.satisfaction_avg, absent: null, format: rating }),
    summary: (model) => {
      const rated = model.series[0].values.filter((value) => value !== null);
      return rated.length ? `Ratings on ${rated.length} days, from 0 to 5.` : 'No ratings in this period.';
    },
  },
  {
    ...{ id: 'bots', title: 'Conversations with a bot', path: 'requests/aggregate/hasBot/day', kind: 'bars' },
    model: (rows, days) =>
      byDay({ ...counted, name: 'All' }, { ...counted, name: 'With a bot', of: (row) => row.bots })(
        mergeBots(rows),
        days,
      ),
    summary: ({ series: [all, bots] }) => {
      const total = sum(all.values);
      return total
        ? `A bot participates in ${percent(sum(bots.values) / total)} of the conversations.`
        : 'None in this period.';
    },
  },
  {
    ...{ id: 'messages', title: 'Messages by day', path: 'messages/aggregate/day', kind: 'bars' },
    ...{ model: byDay({ ...counted, name: 'Messages' }), summary: totalAndPeak },
  },
];

/** The plot of the week: a table with a row per weekday and a column per hour. */
export const WEEK = {
  ...{ id: 'week', title: 'Conversations by weekday and hour', path: 'requests/aggregate/dayoftheweek/hours' },
  ...{ model: ofWeek, hours: HOURS },
};

/** Tables with a row per department or participant. */
export const GROUPS = [
  {
    ...{ id: 'departments', title: 'By department', path: 'requests/aggregate/department', heading: 'Department' },
    summary: (rows) => `Departments with conversations: ${rows}.`,
  },
  {
    ...{ id: 'agents', title: 'By agent', path: 'requests/aggregate/participant', heading: 'Agent or bot' },
    summary: (rows) => `Agents and bots with conversations: ${rows}.`,
  },
];

const total = ([row]) => row?.totalCount ?? 0;

/** Numbers of the whole period; `values` receives the rows of each path. */
export const TILES = [
  { id: 'conversations', title: 'Conversations', paths: ['requests/count'], values: (rows) => [[total(rows), count]] },
  ...[
    ['waiting', 'Median wait'],
    ['duration', 'Median duration'],
  ].map(([id, title]) => ({
    ...{ id, title, paths: [`requests/${id}/percentiles`], note: (p90) => ['90% < ', p90] },
    values: ([row]) => [
      [row?.median, duration],
      [row?.p90, duration],
    ],
  })),
  {
    ...{
      id: 'satisfaction',
      title: 'Satisfaction',
      paths: ['requests/satisfaction'],
      note: () => ['mean, from 0 to 5'],
    },
    values: ([row]) => [[row?.satisfaction_avg, rating]],
  },
  {
    ...{ id: 'bots', title: 'Bot share', paths: ['requests/hasBot/count', 'requests/count'] },
    note: (bots) => [bots, ' with a bot'],
    values: (bots, all) => [
      [total(all) ? total(bots) / total(all) : null, percent],
      [total(bots), count],
    ],
  },
  { id: 'messages', title: 'Messages', paths: ['messages/count'], values: (rows) => [[total(rows), count]] },
];
