/**
 * The series of the rollups: the rows in which a record is counted, and the sums that it adds. A grouped series has one
 * row per day and value of a field, such as the sender of messages.
 */
import { dayOf, QUARTERS_PER_DAY, quarterOf } from './quarter-hours.ts';
import { binOf, MAX_BINS } from './sketch.ts';
import { type Duration, daySketch, quarterSketch } from './sketch-columns.ts';

/** The kinds of records that are counted. */
export const SUBJECTS = ['requests', 'messages', 'project_users', 'events', 'tags'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Ratings are summed in millionths, so that their sum is exact. */
export const RATING_UNIT = 1_000_000;

/** The values of a record that the rollups count. Absent values are not stored. */
export interface Facts {
  createdAt: Date;
  department?: string;
  channel?: string;
  participants?: string[];
  sourcePage?: string;
  isPreflight?: boolean;
  hasBot?: boolean;
  status?: number;
  waitingMs?: number;
  durationMs?: number;
  rating?: number;
  sender?: string;
  /** Id of the bot answer that a message contains. */
  answer?: string;
  /** Name of a custom event. */
  name?: string;
  tags?: string[];
}

/** The filters of a series. A row exists for every combination of filters that occurs. */
export interface SeriesFilter {
  department?: string;
  participant?: string;
  channel?: string;
  sender?: string;
}

const FILTER_NAMES = ['department', 'participant', 'channel', 'sender'] as const;

/** Returns the part of a series name that states one filter. */
const filterPart = (name: keyof SeriesFilter, value: string): string =>
  `|${name}=${encodeURIComponent(value.toWellFormed())}`;

/** Returns the name of a series. For a grouped series, `subject` includes the field, as in `messages.sender`. */
export const seriesName = (subject: string, filter: SeriesFilter = {}): string => {
  const parts = FILTER_NAMES.map((name) => (filter[name] === undefined ? '' : filterPart(name, filter[name])));
  return subject + parts.join('');
};

/** An amount that is added at an index of a column. */
type Sum = [column: string, index: number, amount: number];

/** The part of a record's contribution that is added to one row. */
export interface Addition {
  series: string;
  value?: string;
  day: number;
  sums: Sum[];
}

const durationSums = (name: Duration, slot: number, milliseconds?: number): Sum[] => {
  if (milliseconds === undefined) return [];
  const value = Math.max(0, Math.round(milliseconds));
  const bin = binOf(value);
  return [
    [`${name}Sum`, slot, value],
    [`${name}Count`, slot, 1],
    [daySketch(name), bin, 1],
    [quarterSketch(name, slot), slot * MAX_BINS + bin, 1],
  ];
};

const conversationSums = (facts: Facts, slot: number): Sum[] => [
  ['count', slot, 1],
  [`status${facts.status ?? 0}`, slot, 1],
  ...(facts.hasBot ? ([['bots', slot, 1]] satisfies Sum[]) : []),
  ...durationSums('waiting', slot, facts.waitingMs),
  ...durationSums('duration', slot, facts.durationMs),
  ...(facts.rating === undefined
    ? []
    : ([
        ['ratingSum', slot, Math.round(facts.rating * RATING_UNIT)],
        ['ratingCount', slot, 1],
      ] satisfies Sum[])),
];

/** For each filter, the values that a record matches. */
type FilterValues = Partial<Record<keyof SeriesFilter, string[]>>;

/** The series in which a record is counted: one for every combination of filters that the record matches. */
interface SeriesGroup {
  /** The subject; for a grouped series, with the field. */
  name: string;
  /** The value, if the series is grouped. */
  value?: string;
  filters: FilterValues;
  sums: Sum[];
}

const countIn = (slot: number): Sum[] => [['count', slot, 1]];

const listOf = (value: string | undefined): string[] => (value === undefined ? [] : [value]);

const conversationGroups = (facts: Facts, slot: number): SeriesGroup[] => {
  const { department, channel, participants = [], sourcePage } = facts;
  const sums = conversationSums(facts, slot);
  if (facts.isPreflight) return [{ name: 'requests.preflight', filters: {}, sums }];
  const filters = { department: listOf(department), channel: listOf(channel), participant: participants };
  const pages = listOf(sourcePage).map((value) => ({
    name: 'requests.sourcePage',
    value,
    filters,
    sums: countIn(slot),
  }));
  return [{ name: 'requests', filters, sums }, ...pages];
};

const messageGroups = ({ department, channel, sender, answer }: Facts, slot: number): SeriesGroup[] => {
  const filters = { department: listOf(department), channel: listOf(channel) };
  const sums = countIn(slot);
  const senderFilters = { ...filters, sender: listOf(sender) };
  return [
    { name: 'messages', filters, sums },
    { name: 'messages.sender', value: sender, filters, sums },
    ...listOf(answer).map((value) => ({ name: 'messages.answer', value, filters: senderFilters, sums })),
  ];
};

const GROUPS: Record<Subject, (facts: Facts, slot: number) => SeriesGroup[]> = {
  requests: conversationGroups,
  messages: messageGroups,
  project_users: (_, slot) => [{ name: 'project_users', filters: {}, sums: countIn(slot) }],
  events: ({ name }, slot) => [{ name: 'events.name', value: name, filters: {}, sums: countIn(slot) }],
  tags: ({ tags = [] }, slot) => tags.map((value) => ({ name: 'tags.tag', value, filters: {}, sums: countIn(slot) })),
};

/** Returns the names of the series of a group. */
const seriesOf = ({ name, filters }: SeriesGroup): string[] =>
  FILTER_NAMES.reduce(
    (names, filter) => [
      ...names,
      ...[...new Set(filters[filter])].flatMap((value) => names.map((each) => each + filterPart(filter, value))),
    ],
    [name],
  );

const groupsOf = (subject: Subject, facts: Facts): { day: number; groups: SeriesGroup[] } => {
  const quarter = quarterOf(facts.createdAt);
  const day = dayOf(quarter);
  return { day, groups: GROUPS[subject](facts, quarter - day * QUARTERS_PER_DAY) };
};

/** Returns the sums that a record adds to each row. */
export const additionsOf = (subject: Subject, facts: Facts): Addition[] => {
  const { day, groups } = groupsOf(subject, facts);
  return groups.flatMap((group) =>
    seriesOf(group).map((series) => ({ series, value: group.value, day, sums: group.sums })),
  );
};

/** Returns a function that computes the sums that a record adds to the rows of one series. */
export const additionsTo = (series: string, subject: Subject): ((facts: Facts) => Addition[]) => {
  const [name, ...parts] = series.split('|');
  const wanted = parts.map((part) => [part.slice(0, part.indexOf('=')) as keyof SeriesFilter, `|${part}`] as const);
  const matches = ({ name: own, filters }: SeriesGroup): boolean =>
    own === name &&
    wanted.every(([filter, part]) => filters[filter]?.some((value) => filterPart(filter, value) === part));
  return (facts) => {
    const { day, groups } = groupsOf(subject, facts);
    return groups.filter(matches).map(({ value, sums }) => ({ series, value, day, sums }));
  };
};
