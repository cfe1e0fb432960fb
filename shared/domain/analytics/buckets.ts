/** Sums rollups by day, week, month or hour in a time zone. */
import { weekdayOf } from './calendar.ts';
import { dayOf, localQuarters, QUARTERS_PER_DAY } from './quarter-hours.ts';
import { type SeriesQuery, visitQuarters } from './read-rollups.ts';

/** Sums by column. */
export type Sums = Record<string, number>;

/** The sums of one bucket. `value` is set if the series is grouped. */
export interface Bucket {
  value?: string;
  /** The number that `keyOf` returned. */
  key: number;
  sums: Sums;
}

/** Returns the key of the bucket that a quarter hour of local time falls into. */
export type KeyOf = (localQuarter: number) => number;

const QUARTERS_PER_HOUR = 4;
const HOURS_PER_DAY = 24;

/** One bucket for the whole range. */
export const whole: KeyOf = () => 0;
/** A bucket per day of local time, in days since the epoch. */
export const byDay: KeyOf = dayOf;
/** A bucket per hour of the day. */
export const byHour: KeyOf = (quarter) => Math.floor((quarter - dayOf(quarter) * QUARTERS_PER_DAY) / QUARTERS_PER_HOUR);
/** A bucket per hour of the week: 24 times the weekday (Sunday is 0), plus the hour. */
export const byWeekdayHour: KeyOf = (quarter) => weekdayOf(dayOf(quarter)) * HOURS_PER_DAY + byHour(quarter);

/** Buckets by key and value, in the order of their first use. */
class Buckets {
  readonly #byValue = new Map<string | undefined, Map<number, Bucket>>();

  /** Returns the sums of a bucket; creates the bucket if it does not exist. */
  sumsOf(key: number, value: string | undefined): Sums {
    const byKey = this.#byValue.get(value) ?? new Map<number, Bucket>();
    this.#byValue.set(value, byKey);
    const bucket = byKey.get(key) ?? { key, sums: {}, ...(value !== undefined && { value }) };
    byKey.set(key, bucket);
    return bucket.sums;
  }

  all(): Bucket[] {
    return [...this.#byValue.values()].flatMap((byKey) => [...byKey.values()]);
  }
}

/** Returns a function that lists the bucket keys of the quarter hours of a UTC day, and caches the lists. */
const dayKeys = (zone: string, keyOf: KeyOf): ((day: number) => number[]) => {
  const keysByDay = new Map<number, number[]>();
  return (day) => {
    const known = keysByDay.get(day);
    if (known) return known;
    const toLocal = localQuarters(zone, day);
    const keys = Array.from({ length: QUARTERS_PER_DAY }, (_, index) => keyOf(toLocal(day * QUARTERS_PER_DAY + index)));
    keysByDay.set(day, keys);
    return keys;
  };
};

/** Sums the columns of a series by bucket. */
export const sumBuckets = async (
  query: SeriesQuery,
  { columns, zone, keyOf }: { columns: string[]; zone: string; keyOf: KeyOf },
): Promise<Bucket[]> => {
  const buckets = new Buckets();
  const keysOf = dayKeys(zone, keyOf);
  await visitQuarters(query, columns, ({ value, day, column }) => {
    const keys = keysOf(day);
    let key: number | undefined;
    let sums: Sums = {};
    // Consecutive quarter hours usually fall into the same bucket, so its sums are looked up once.
    return (index, amount) => {
      if (keys[index] !== key) {
        key = keys[index] as number;
        sums = buckets.sumsOf(key, value);
      }
      sums[column] = (sums[column] ?? 0) + amount;
    };
  });
  return buckets.all();
};

/** Merges the daily buckets that have the same identity. The groups are in the order of their first days. */
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
