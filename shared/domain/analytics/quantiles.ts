/** Quantiles of durations over a time range, as a whole or by day. */
import { memoize } from './memoize.ts';
import { dayOf, localQuarters, QUARTERS_PER_DAY } from './quarter-hours.ts';
import { type DaySplit, readDays, type SeriesQuery, splitDays, visitEdges } from './read-rollups.ts';
import { countOf, MAX_BINS, quantilesOf } from './sketch.ts';
import { addSections } from './sparse-vector.ts';

type Duration = 'waiting' | 'duration';

/** Returns the bins to which the values of a UTC quarter hour are added. */
type BinsOf = (quarter: number) => Int32Array;

const addTo = (bins: Int32Array, bin: number, amount: number): void => {
  bins[bin] = (bins[bin] ?? 0) + amount;
};

/** Adds the sketches of whole days, as if all values of a day belonged to its first quarter hour. */
const addWholeDays = async (
  query: SeriesQuery,
  name: Duration,
  { firstDay, lastDay, binsOf }: Pick<DaySplit, 'firstDay' | 'lastDay'> & { binsOf: BinsOf },
): Promise<void> => {
  if (lastDay < firstDay) return;
  const column = `${name}Bins`;
  for (const { day, columns } of await readDays(query, { first: firstDay, last: lastDay, columns: [column] }))
    if (columns?.[column]) addSections(columns[column], MAX_BINS, () => binsOf(day * QUARTERS_PER_DAY));
};

/** Adds the sketches of the quarter hours from `first` (inclusive) to `end` (exclusive). */
const addQuarterHours = async (
  query: SeriesQuery,
  name: Duration,
  { first, end, binsOf }: { first: number; end: number; binsOf: BinsOf },
): Promise<void> => {
  const column = `${name}QuarterBins`;
  const days = { first: dayOf(first), last: dayOf(end - 1) };
  for (const { day, columns } of await readDays(query, { ...days, columns: [column] })) {
    const bytes = columns?.[column];
    if (!bytes) continue;
    addSections(bytes, MAX_BINS, (slot) => {
      const quarter = day * QUARTERS_PER_DAY + slot;
      return quarter >= first && quarter < end ? binsOf(quarter) : null;
    });
  }
};

/**
 * Adds up the sketches of a split range. Whole days and single quarter hours are read from their sketches, parts of
 * quarter hours from the contributions. The time hardly depends on the number of conversations.
 */
const addSketches = async (
  query: SeriesQuery,
  name: Duration,
  { binsOf, ...split }: DaySplit & { binsOf: BinsOf },
): Promise<void> => {
  const { edges, partial } = split;
  await Promise.all([
    addWholeDays(query, name, { ...split, binsOf }),
    ...partial.map(([first, end]) => addQuarterHours(query, name, { first, end, binsOf })),
    visitEdges(
      query,
      { edges, columns: [`${name}QuarterBins`] },
      ({ day }) =>
        (index, amount) =>
          addTo(binsOf(day * QUARTERS_PER_DAY + Math.floor(index / MAX_BINS)), index % MAX_BINS, amount),
    ),
  ]);
};

/** Returns quantiles of a series, in milliseconds; null if there are no values. */
export const readQuantiles = async (
  query: SeriesQuery,
  name: Duration,
  quantiles: number[],
): Promise<(number | null)[]> => {
  const bins = new Int32Array(MAX_BINS);
  await addSketches(query, name, { ...splitDays(query.range), binsOf: () => bins });
  return quantilesOf(bins, quantiles);
};

/** The quantiles of a day. `day` is in days since the epoch. */
export interface DayQuantiles {
  day: number;
  /** Number of values. */
  count: number;
  values: (number | null)[];
}

/**
 * Splits a range for the days of a time zone. Sketches of whole days exist for UTC days only, so other time zones use
 * the sketches of quarter hours.
 */
const splitZonedDays = (query: SeriesQuery, zone: string): DaySplit => {
  const split = splitDays(query.range);
  const { firstDay, lastDay, partial } = split;
  if (zone === 'UTC' || lastDay < firstDay) return split;
  const whole: [number, number] = [firstDay * QUARTERS_PER_DAY, (lastDay + 1) * QUARTERS_PER_DAY];
  return { ...split, firstDay: 0, lastDay: -1, partial: [...partial, whole] };
};

/** Returns the quantiles of each day of the time zone that has values, oldest first. */
export const readDayQuantiles = async (
  query: SeriesQuery & { zone: string },
  name: Duration,
  quantiles: number[],
): Promise<DayQuantiles[]> => {
  const byDay = new Map<number, Int32Array>();
  const converterOf = memoize((utcDay) => localQuarters(query.zone, utcDay));
  const binsOf: BinsOf = (quarter) => {
    const toLocal = converterOf(dayOf(quarter));
    const day = dayOf(toLocal(quarter));
    const bins = byDay.get(day) ?? new Int32Array(MAX_BINS);
    byDay.set(day, bins);
    return bins;
  };
  await addSketches(query, name, { ...splitZonedDays(query, query.zone), binsOf });
  return [...byDay]
    .map(([day, bins]) => ({ day, count: countOf(bins), values: quantilesOf(bins, quantiles) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.day - other.day);
};
