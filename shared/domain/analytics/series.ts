/** The series of the rollups: the rows in which a record is counted, and the sums that it adds. */
import { dayOf, QUARTERS_PER_DAY, quarterOf } from './quarter-hours.ts';
import { binOf, MAX_BINS } from './sketch.ts';

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

/** Returns the name of a series. For a grouped series, `subject` includes the field, as in `messages.sender`. */
export const seriesName = (subject: string, filter: SeriesFilter = {}): string => {
  const parts = FILTER_NAMES.map((name) => {
    const value = filter[name];
    return value === undefined ? '' : `|${name}=${encodeURIComponent(value.toWellFormed())}`;
  });
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

/** Matches the columns that are sketches. */
export const SKETCH_COLUMN = /Bins$/;

const durationSums = (name: string, slot: number, milliseconds?: number): Sum[] => {
  if (milliseconds === undefined) return [];
  const value = Math.max(0, Math.round(milliseconds));
  const bin = binOf(value);
  return [
    [`${name}Sum`, slot, value],
    [`${name}Count`, slot, 1],
    [`${name}Bins`, bin, 1],
    [`${name}QuarterBins`, slot * MAX_BINS + bin, 1],
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

/** Returns the filter values that match: undefined, which matches any value, and each given value. */
const anyOr = (...values: (string | undefined)[]): (string | undefined)[] => [
  undefined,
  ...new Set(values.filter((value) => value !== undefined)),
];

/** Returns the combinations of filters that match a record. */
const filtersOf = ({ department, channel, participants = [] }: Facts): SeriesFilter[] =>
  anyOr(department).flatMap((departmentFilter) =>
    anyOr(channel).flatMap((channelFilter) =>
      anyOr(...participants).map((participant) => ({
        department: departmentFilter,
        channel: channelFilter,
        participant,
      })),
    ),
  );

/** A row in which a record is counted: its series, the value if the series is grouped, and the sums. */
type Row = [series: string, value: string | undefined, sums: Sum[]];

const countIn = (slot: number): Sum[] => [['count', slot, 1]];

const conversationRows = (facts: Facts, slot: number): Row[] => {
  const sums = conversationSums(facts, slot);
  if (facts.isPreflight) return [['requests.preflight', undefined, sums]];
  const { sourcePage } = facts;
  return filtersOf(facts).flatMap((filter): Row[] => [
    [seriesName('requests', filter), undefined, sums],
    ...(sourcePage === undefined
      ? []
      : ([[seriesName('requests.sourcePage', filter), sourcePage, countIn(slot)]] satisfies Row[])),
  ]);
};

const messageRows = (facts: Facts, slot: number): Row[] => {
  const { sender, answer } = facts;
  return filtersOf(facts).flatMap((filter): Row[] => [
    [seriesName('messages', filter), undefined, countIn(slot)],
    [seriesName('messages.sender', filter), sender, countIn(slot)],
    ...(answer === undefined
      ? []
      : anyOr(sender).map(
          (each): Row => [seriesName('messages.answer', { ...filter, sender: each }), answer, countIn(slot)],
        )),
  ]);
};

const ROWS: Record<Subject, (facts: Facts, slot: number) => Row[]> = {
  requests: conversationRows,
  messages: messageRows,
  project_users: (_, slot) => [['project_users', undefined, countIn(slot)]],
  events: ({ name }, slot) => [['events.name', name, countIn(slot)]],
  tags: ({ tags = [] }, slot) => tags.map((tag) => ['tags.tag', tag, countIn(slot)]),
};

/** Returns the sums that a record adds to each row. */
export const additionsOf = (subject: Subject, facts: Facts): Addition[] => {
  const quarter = quarterOf(facts.createdAt);
  const day = dayOf(quarter);
  const rows = ROWS[subject](facts, quarter - day * QUARTERS_PER_DAY);
  return rows.map(([series, value, sums]) => ({ series, value, day, sums }));
};
