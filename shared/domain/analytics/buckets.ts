/** Sums rollups into buckets: by day, week, month or hour in a time zone. */
import { monthStart, weekdayOf, weekStart } from './calendar.ts';
import { memoize } from './memoize.ts';
import { dayOf, localQuarters, QUARTERS_PER_DAY } from './quarter-hours.ts';
import { type SeriesQuery, visitSums } from './read-rollups.ts';

/** Sums by column of the rollups, such as `count`. */
export type Sums = Record<string, number>;

/** The sums of one bucket. If the series is grouped by a field, such as the sender, `value` is the field's value. */
export interface Bucket {
  value?: string;
  /** The key of the bucket, as its `Bucketing` defines it. */
  key: number;
  sums: Sums;
}

/** How the sums of quarter hours are assigned to buckets. */
export interface Bucketing {
  /** Returns the key of the bucket that a quarter hour of local time falls into. */
  keyOf(localQuarter: number): number;
  /** Whether most UTC days fall into a single bucket, so that day totals can be read instead of quarter hours. */
  usesDays(zone: string): boolean;
}

const QUARTERS_PER_HOUR = 4;
const HOURS_PER_DAY = 24;

const hourOf = (quarter: number): number =>
  Math.floor((quarter - dayOf(quarter) * QUARTERS_PER_DAY) / QUARTERS_PER_HOUR);

/** One bucket for the whole range. */
export const whole: Bucketing = { keyOf: () => 0, usesDays: () => true };
/** A bucket per day of local time; the key is the day, in days since the epoch. */
export const byDay: Bucketing = { keyOf: dayOf, usesDays: (zone) => zone === 'UTC' };
/** A bucket per week, or two if the week spans two months; the key is the first day. */
export const byWeek: Bucketing = { keyOf: (quarter) => weekStart(dayOf(quarter)), usesDays: () => true };
/** A bucket per month; the key is the first day. */
export const byMonth: Bucketing = { keyOf: (quarter) => monthStart(dayOf(quarter)), usesDays: () => true };
/** A bucket per hour of the day; the key is the hour. */
export const byHour: Bucketing = { keyOf: hourOf, usesDays: () => false };
/** A bucket per hour of the week; the key is 24 times the weekday (Sunday is 0), plus the hour. */
export const byWeekdayHour: Bucketing = {
  keyOf: (quarter) => weekdayOf(dayOf(quarter)) * HOURS_PER_DAY + hourOf(quarter),
  usesDays: () => false,
};

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

/** Returns a function that lists the bucket keys of the quarter hours of a UTC day. */
const quarterKeys = (zone: string, { keyOf }: Bucketing): ((day: number) => number[]) =>
  memoize((day) => {
    const toLocal = localQuarters(zone, day);
    return Array.from({ length: QUARTERS_PER_DAY }, (_, index) => keyOf(toLocal(day * QUARTERS_PER_DAY + index)));
  });

/** Divides the indexes of `keys` into ranges, each with a single key. Returns the exclusive end of each range. */
const rangeEnds = (keys: number[]): number[] => [
  ...keys.flatMap((key, index) => (index && keys[index - 1] !== key ? [index] : [])),
  keys.length,
];

/** Returns a function that returns the key of the bucket that contains a whole UTC day; null if there is none. */
const dayKeys = (zone: string, { keyOf }: Bucketing): ((day: number) => number | null) =>
  memoize((day) => {
    const toLocal = localQuarters(zone, day);
    const first = keyOf(toLocal(day * QUARTERS_PER_DAY));
    return first === keyOf(toLocal((day + 1) * QUARTERS_PER_DAY - 1)) ? first : null;
  });

/** Sums the columns of a series by bucket. */
export const sumBuckets = async (
  query: SeriesQuery,
  { columns, zone, bucketing }: { columns: string[]; zone: string; bucketing: Bucketing },
): Promise<Bucket[]> => {
  const buckets = new Buckets();
  const keysOf = quarterKeys(zone, bucketing);
  const keyOfDay = dayKeys(zone, bucketing);
  await visitSums(query, columns, {
    endsOf: memoize((day) => rangeEnds(keysOf(day))),
    visitColumn: ({ value, day, column }) => {
      const keys = keysOf(day);
      return adder(buckets, { value, column, keyOf: (index) => keys[index] as number });
    },
    ...(bucketing.usesDays(zone) && {
      totals: {
        isWhole: (day) => keyOfDay(day) !== null,
        visitColumn: ({ value, column }) => adder(buckets, { value, column, keyOf: (day) => keyOfDay(day) as number }),
      },
    }),
  });
  return buckets.all();
};

/** Returns a function that adds an amount to the bucket of an index: a quarter hour of a UTC day, or a UTC day. */
const adder = (
  buckets: Buckets,
  { value, column, keyOf }: { value?: string; column: string; keyOf(index: number): number },
): ((index: number, amount: number) => void) => {
  let key: number | undefined;
  let sums: Sums = {};
  // Consecutive indexes usually fall into the same bucket, so its sums are looked up once.
  return (index, amount) => {
    const found = keyOf(index);
    if (found !== key) {
      key = found;
      sums = buckets.sumsOf(key, value);
    }
    sums[column] = (sums[column] ?? 0) + amount;
  };
};
