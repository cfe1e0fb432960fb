/** Sums of rollups by day, week, month or hour of a time zone. */
import { weekdayOf } from './calendar.ts';
import { dayOf, localQuarters, QUARTERS_PER_DAY } from './quarter-hours.ts';
import { type SeriesQuery, visitQuarters } from './read-rollups.ts';

/** Sums by column. */
export type Sums = Record<string, number>;

/** The sums of one bucket, and the value of a grouped series. */
export interface Bucket {
  value?: string;
  /** The number that `keyOf` returned. */
  key: number;
  sums: Sums;
}

/** How quarter hours of the local time are put into buckets. */
export type KeyOf = (localQuarter: number) => number;

const QUARTERS_PER_HOUR = 4;
const HOURS_PER_DAY = 24;

/** One bucket for the whole range. */
export const whole: KeyOf = () => 0;
/** A bucket per day, in days since the epoch, in the time of the quarter hours. */
export const byDay: KeyOf = dayOf;
/** A bucket per hour of the day. */
export const byHour: KeyOf = (quarter) => Math.floor((quarter - dayOf(quarter) * QUARTERS_PER_DAY) / QUARTERS_PER_HOUR);
/** A bucket per hour of the week: 24 times the weekday (Sunday is 0), plus the hour. */
export const byWeekdayHour: KeyOf = (quarter) => weekdayOf(dayOf(quarter)) * HOURS_PER_DAY + byHour(quarter);

/** Sums the columns of a series by bucket, in the order in which the buckets occur. */
export const sumBuckets = async (
  query: SeriesQuery,
  { columns, zone, keyOf }: { columns: string[]; zone: string; keyOf: KeyOf },
): Promise<Bucket[]> => {
  const buckets = new Map<string, Bucket>();
  const converters = new Map<number, (quarter: number) => number>();
  const single = new Map<number, Bucket>();
  await visitQuarters(query, columns, ({ value, column, day, index, amount }) => {
    let toLocal = converters.get(day);
    if (!toLocal) converters.set(day, (toLocal = localQuarters(zone, day)));
    const key = keyOf(toLocal(day * QUARTERS_PER_DAY + index));
    const known = value === undefined ? single.get(key) : buckets.get(`${key} ${value}`);
    const bucket = known ?? { key, sums: {}, ...(value !== undefined && { value }) };
    if (!known && value === undefined) single.set(key, bucket);
    else if (!known) buckets.set(`${key} ${value}`, bucket);
    bucket.sums[column] = (bucket.sums[column] ?? 0) + amount;
  });
  return [...single.values(), ...buckets.values()];
};

/** Merges buckets of days into those with the same identity, which keep the order of their first day. */
export const regroup = <Identity extends object>(
  days: Bucket[],
  identify: (day: number) => Identity,
): { _id: Identity; sums: Sums }[] => {
  const groups = new Map<string, { _id: Identity; sums: Sums }>();
  for (const { key, sums } of days) {
    const _id = identify(key);
    const name = JSON.stringify(_id);
    const group = groups.get(name) ?? { _id, sums: {} };
    groups.set(name, group);
    for (const [column, amount] of Object.entries(sums)) group.sums[column] = (group.sums[column] ?? 0) + amount;
  }
  return [...groups.values()];
};
