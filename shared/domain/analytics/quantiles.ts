/** Quantiles of durations over a time range, as a whole or by day. */
import { dayOf, localQuarters, QUARTERS_PER_DAY } from './quarter-hours.ts';
import { type DaySplit, readDays, type SeriesQuery, splitDays, visitEdges } from './read-rollups.ts';
import { MAX_BINS, quantileOf } from './sketch.ts';
import { type SparseVector, visitVector } from './sparse-vector.ts';

type Duration = 'waiting' | 'duration';

/** Called with a bin of a UTC quarter hour. */
type VisitBin = (quarter: number, bin: number, amount: number) => void;

const addTo = (bins: Float64Array, bin: number, amount: number): void => {
  bins[bin] = (bins[bin] ?? 0) + amount;
};

/** Visits the bins of whole days, as if all values of a day belonged to its first quarter hour. */
const visitWholeDays = async (
  query: SeriesQuery,
  name: Duration,
  { firstDay, lastDay, visit }: Pick<DaySplit, 'firstDay' | 'lastDay'> & { visit: VisitBin },
): Promise<void> => {
  if (lastDay < firstDay) return;
  const column = `${name}Bins`;
  for (const { day, columns } of await readDays(query, { first: firstDay, last: lastDay, columns: [column] }))
    if (columns?.[column]) visitVector(columns[column], (bin, amount) => visit(day * QUARTERS_PER_DAY, bin, amount));
};

/** Visits the bins of the quarter hours from `first` (inclusive) to `end` (exclusive). */
const visitQuarterHours = async (
  query: SeriesQuery,
  name: Duration,
  { first, end, visit }: { first: number; end: number; visit: VisitBin },
): Promise<void> => {
  const column = `${name}QuarterBins`;
  const days = { first: dayOf(first), last: dayOf(end - 1) };
  for (const { day, columns } of await readDays(query, { ...days, columns: [column] })) {
    const bytes = columns?.[column];
    if (!bytes) continue;
    const start = day * QUARTERS_PER_DAY;
    visitVector(bytes, (index, amount) => {
      const quarter = start + Math.floor(index / MAX_BINS);
      if (quarter >= first && quarter < end) visit(quarter, index % MAX_BINS, amount);
    });
  }
};

/**
 * Visits the bins of a split range. Whole days and single quarter hours are read from their sketches, parts of quarter
 * hours from the contributions. The time hardly depends on the number of conversations.
 */
const visitBins = async (
  query: SeriesQuery,
  name: Duration,
  { visit, ...split }: DaySplit & { visit: VisitBin },
): Promise<void> => {
  const { edges, partial } = split;
  await Promise.all([
    visitWholeDays(query, name, { ...split, visit }),
    ...partial.map(([first, end]) => visitQuarterHours(query, name, { first, end, visit })),
    visitEdges(
      query,
      { edges, columns: [`${name}QuarterBins`] },
      ({ day }) =>
        (index, amount) =>
          visit(day * QUARTERS_PER_DAY + Math.floor(index / MAX_BINS), index % MAX_BINS, amount),
    ),
  ]);
};

/** Returns quantiles of a series, in milliseconds; null if there are no values. */
export const readQuantiles = async (
  query: SeriesQuery,
  name: Duration,
  quantiles: number[],
): Promise<(number | null)[]> => {
  const bins = new Float64Array(MAX_BINS);
  const visit: VisitBin = (_, bin, amount) => addTo(bins, bin, amount);
  await visitBins(query, name, { ...splitDays(query.range), visit });
  return quantiles.map((q) => quantileOf(bins, q));
};

/** The quantiles of a day. `day` is in days since the epoch. */
export interface DayQuantiles {
  day: number;
  /** Number of values. */
  count: number;
  values: (number | null)[];
}

const quantilesOfDay = (vector: SparseVector, quantiles: number[]): (number | null)[] => {
  const bins = new Float64Array(MAX_BINS);
  for (const [bin, amount] of vector) bins[bin] = amount;
  return quantiles.map((q) => quantileOf(bins, q));
};

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
  const byDay = new Map<number, SparseVector>();
  const converters = new Map<number, (quarter: number) => number>();
  const visit: VisitBin = (quarter, bin, amount) => {
    const utcDay = dayOf(quarter);
    const toLocal = converters.get(utcDay) ?? localQuarters(query.zone, utcDay);
    converters.set(utcDay, toLocal);
    const day = dayOf(toLocal(quarter));
    const bins = byDay.get(day) ?? new Map<number, number>();
    byDay.set(day, bins);
    bins.set(bin, (bins.get(bin) ?? 0) + amount);
  };
  await visitBins(query, name, { ...splitZonedDays(query, query.zone), visit });
  return [...byDay]
    .toSorted(([one], [other]) => one - other)
    .map(([day, bins]) => ({
      day,
      count: [...bins.values()].reduce((sum, amount) => sum + amount, 0),
      values: quantilesOfDay(bins, quantiles),
    }));
};
