/** Quantiles of durations over a time range, as a whole or by day. */
import { memoize } from './memoize.ts';
import { dayOf, localQuarters, QUARTERS_PER_DAY } from './quarter-hours.ts';
import { type DaySplit, readDays, type SeriesQuery, splitDays, visitEdges } from './read-rollups.ts';
import { countOf, MAX_BINS, quantilesOf } from './sketch.ts';
import { type Duration, daySketch, quarterSketch, quarterSketches } from './sketch-columns.ts';
import { addSections, addVector } from './sparse-vector.ts';

/** Where values are added: the local day of a UTC quarter hour, and the bins of a local day. */
interface DayBins {
  dayOf(quarter: number): number;
  binsOf(day: number): Int32Array;
}

type WholeDays = Pick<DaySplit, 'firstDay' | 'lastDay'>;

const NOON = QUARTERS_PER_DAY / 2;
const SLOTS = Array.from({ length: QUARTERS_PER_DAY }, (_, slot) => slot);

const addTo = (bins: Int32Array, bin: number, amount: number): void => {
  bins[bin] = (bins[bin] ?? 0) + amount;
};

/**
 * Adds the sketches of whole UTC days to the local day at noon UTC. Returns, in order, the UTC days that have values.
 */
const addWholeDays = async (query: SeriesQuery, name: Duration, bins: WholeDays & DayBins): Promise<number[]> => {
  const { firstDay, lastDay } = bins;
  if (lastDay < firstDay) return [];
  const column = daySketch(name);
  const rows = await readDays(query, { first: firstDay, last: lastDay, columns: [column] });
  const days = rows.flatMap(({ day, columns }) => {
    if (!columns?.[column]) return [];
    addVector(columns[column], bins.binsOf(bins.dayOf(day * QUARTERS_PER_DAY + NOON)));
    return [day];
  });
  return days.toSorted((one, other) => one - other);
};

/** Adds the sketches of the quarter hours from `first` (inclusive) to `end` (exclusive). */
const addQuarterHours = async (
  query: SeriesQuery,
  name: Duration,
  { first, end, ...bins }: { first: number; end: number } & DayBins,
): Promise<void> => {
  const days = { first: dayOf(first), last: dayOf(end - 1) };
  for (const { day, columns } of await readDays(query, { ...days, columns: quarterSketches(name) }))
    for (const bytes of Object.values(columns ?? {}))
      addSections(bytes, MAX_BINS, (slot) => {
        const quarter = day * QUARTERS_PER_DAY + slot;
        return quarter >= first && quarter < end ? { to: bins.binsOf(bins.dayOf(quarter)) } : null;
      });
};

/** Returns the quarter hours of a UTC day that belong to another local day than its noon, as indexes in the day. */
const movedSlots = (day: number, bins: DayBins): number[] => {
  const main = bins.dayOf(day * QUARTERS_PER_DAY + NOON);
  const isMoved = (slot: number) => bins.dayOf(day * QUARTERS_PER_DAY + slot) !== main;
  return isMoved(0) || isMoved(QUARTERS_PER_DAY - 1) ? SLOTS.filter(isMoved) : [];
};

/** Corrects the result of `addWholeDays`: moves the values of quarter hours that belong to another local day. */
const moveQuarterHours = async (
  query: SeriesQuery,
  name: Duration,
  { days, ...bins }: { days: number[] } & DayBins,
): Promise<void> => {
  const slotsByDay = new Map(days.map((day) => [day, new Set(movedSlots(day, bins))]));
  const slots = slotsByDay.values().reduce((all, each) => all.union(each), new Set<number>());
  if (!slots.size) return;
  const columns = [...new Set(slots.values().map((slot) => quarterSketch(name, slot)))];
  const range = { first: days.at(0) as number, last: days.at(-1) as number };
  for (const { day, columns: found } of await readDays(query, { ...range, columns })) {
    const moved = slotsByDay.get(day);
    const first = day * QUARTERS_PER_DAY;
    const from = bins.binsOf(bins.dayOf(first + NOON));
    for (const bytes of Object.values(found ?? {}))
      addSections(bytes, MAX_BINS, (slot) =>
        moved?.has(slot) ? { to: bins.binsOf(bins.dayOf(first + slot)), from } : null,
      );
  }
};

/**
 * Adds up the sketches of a range. Whole days and single quarter hours are read from their sketches, parts of quarter
 * hours from the contributions. The time hardly depends on the number of conversations.
 */
const addSketches = async (query: SeriesQuery, name: Duration, bins: DayBins): Promise<void> => {
  const { edges, partial, ...whole } = splitDays(query.range);
  const [days] = await Promise.all([
    addWholeDays(query, name, { ...whole, ...bins }),
    ...partial.map(([first, end]) => addQuarterHours(query, name, { first, end, ...bins })),
    visitEdges(query, { edges, columns: quarterSketches(name) }, ({ day }) => (index, amount) => {
      const quarter = day * QUARTERS_PER_DAY + Math.floor(index / MAX_BINS);
      addTo(bins.binsOf(bins.dayOf(quarter)), index % MAX_BINS, amount);
    }),
  ]);
  await moveQuarterHours(query, name, { days, ...bins });
};

/** Returns quantiles of a series, in milliseconds; null if there are no values. */
export const readQuantiles = async (
  query: SeriesQuery,
  name: Duration,
  quantiles: number[],
): Promise<(number | null)[]> => {
  const bins = new Int32Array(MAX_BINS);
  await addSketches(query, name, { dayOf: () => 0, binsOf: () => bins });
  return quantilesOf(bins, quantiles);
};

/** The quantiles of a day. `day` is in days since the epoch. */
export interface DayQuantiles {
  day: number;
  /** Number of values. */
  count: number;
  values: (number | null)[];
}

/** Returns the quantiles of each day of the time zone that has values, oldest first. */
export const readDayQuantiles = async (
  query: SeriesQuery & { zone: string },
  name: Duration,
  quantiles: number[],
): Promise<DayQuantiles[]> => {
  const byDay = new Map<number, Int32Array>();
  const converterOf = memoize((utcDay) => localQuarters(query.zone, utcDay));
  await addSketches(query, name, {
    dayOf: (quarter) => dayOf(converterOf(dayOf(quarter))(quarter)),
    binsOf: (day) => {
      const bins = byDay.get(day) ?? new Int32Array(MAX_BINS);
      byDay.set(day, bins);
      return bins;
    },
  });
  return [...byDay]
    .map(([day, bins]) => ({ day, count: countOf(bins), values: quantilesOf(bins, quantiles) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.day - other.day);
};
