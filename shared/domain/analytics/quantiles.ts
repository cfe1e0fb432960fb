/** Quantiles of durations in a time range: for the whole range, or by day. */
import { blockOf, totalsSeries } from './day-totals.ts';
import { memoize } from './memoize.ts';
import { dayOf, localQuarters, QUARTERS_PER_DAY } from './quarter-hours.ts';
import { type DaySplit, readDays, type SeriesQuery, splitDays, visitEdges } from './read-rollups.ts';
import { countOf, MAX_BINS, quantilesOf } from './sketch.ts';
import { type Duration, daySketch, quarterSketches } from './sketch-columns.ts';
import { addSections, addVector } from './sparse-vector.ts';

/**
 * `dayOf` returns the local day of a UTC quarter hour. `binsOf` returns the bins to which the values of a local day are
 * added.
 */
interface DayBins {
  dayOf(quarter: number): number;
  binsOf(day: number): Int32Array;
}

type WholeDays = Pick<DaySplit, 'firstDay' | 'lastDay'>;

const NOON = QUARTERS_PER_DAY / 2;

const addTo = (bins: Int32Array, bin: number, amount: number): void => {
  bins[bin] = (bins[bin] ?? 0) + amount;
};

/**
 * Adds the sketch of each whole UTC day to the local day that contains its noon (UTC). Returns the UTC days that have
 * values, in order.
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

/** Consecutive quarter hours of a UTC day that belong to one local day, as indexes in the UTC day. */
interface Run {
  first: number;
  /** Exclusive. */
  end: number;
  localDay: number;
}

/** Divides the quarter hours of a UTC day, from `first` to `end`, into runs that each belong to one local day. */
const runsOf = (day: number, { first, end }: Omit<Run, 'localDay'>, bins: DayBins): Run[] => {
  const runs: Run[] = [];
  for (let slot = Math.max(0, first); slot < Math.min(QUARTERS_PER_DAY, end); slot++) {
    const localDay = bins.dayOf(day * QUARTERS_PER_DAY + slot);
    const last = runs.at(-1);
    if (last?.localDay === localDay) last.end = slot + 1;
    else runs.push({ first: slot, end: slot + 1, localDay });
  }
  return runs;
};

/** Adds the sketches of the quarter hours from `first` (inclusive) to `end` (exclusive). */
const addQuarterHours = async (
  query: SeriesQuery,
  name: Duration,
  { first, end, ...bins }: { first: number; end: number } & DayBins,
): Promise<void> => {
  const days = { first: dayOf(first), last: dayOf(end - 1) };
  for (const { day, columns } of await readDays(query, { ...days, columns: quarterSketches(name) })) {
    const midnight = day * QUARTERS_PER_DAY;
    for (const { localDay, ...run } of runsOf(day, { first: first - midnight, end: end - midnight }, bins))
      for (const bytes of Object.values(columns ?? {}))
        addSections(bytes, { ...run, size: MAX_BINS }, { to: bins.binsOf(localDay) });
  }
};

const WHOLE_DAY = { first: 0, end: QUARTERS_PER_DAY };

/**
 * Corrects the result of `addWholeDays`: moves the values of quarter hours that do not belong to the local day that
 * contains noon (UTC) to their own local day.
 */
const moveQuarterHours = async (
  query: SeriesQuery,
  name: Duration,
  { days, ...bins }: { days: number[] } & DayBins,
): Promise<void> => {
  const mainDay = (day: number) => bins.dayOf(day * QUARTERS_PER_DAY + NOON);
  const movedRuns = memoize((day) => runsOf(day, WHOLE_DAY, bins).filter(({ localDay }) => localDay !== mainDay(day)));
  const columns = [
    ...new Set(
      days.flatMap((day) => movedRuns(day).flatMap(({ first, end }) => quarterSketches(name, { first, end }))),
    ),
  ];
  if (!columns.length) return;
  const range = { first: days.at(0) as number, last: days.at(-1) as number };
  for (const { day, columns: found } of await readDays(query, { ...range, columns })) {
    const from = bins.binsOf(mainDay(day));
    for (const { localDay, ...run } of movedRuns(day))
      for (const bytes of Object.values(found ?? {}))
        addSections(bytes, { ...run, size: MAX_BINS }, { to: bins.binsOf(localDay), from });
  }
};

/**
 * Adds the values before and after the whole days: those of whole quarter hours from sketches, and those of parts of
 * quarter hours from contributions.
 */
const addParts = async (
  query: SeriesQuery,
  name: Duration,
  { edges, partial, ...bins }: Pick<DaySplit, 'edges' | 'partial'> & DayBins,
): Promise<void> => {
  await Promise.all([
    ...partial.map(([first, end]) => addQuarterHours(query, name, { first, end, ...bins })),
    visitEdges(query, { edges, columns: quarterSketches(name) }, ({ day }) => (index, amount) => {
      const quarter = day * QUARTERS_PER_DAY + Math.floor(index / MAX_BINS);
      addTo(bins.binsOf(bins.dayOf(quarter)), index % MAX_BINS, amount);
    }),
  ]);
};

/** Splits a range of whole days into whole blocks of 32 days, and the days before and after the blocks. */
const splitBlocks = ({ firstDay, lastDay }: WholeDays): { blocks: WholeDays; days: WholeDays[] } => {
  const firstBlock = -blockOf(-firstDay);
  const endBlock = blockOf(lastDay + 1);
  if (endBlock <= firstBlock) return { blocks: { firstDay: 0, lastDay: -1 }, days: [{ firstDay, lastDay }] };
  return {
    blocks: { firstDay: firstBlock, lastDay: endBlock - 1 },
    days: [
      ...(firstDay < firstBlock ? [{ firstDay, lastDay: firstBlock - 1 }] : []),
      ...(endBlock < lastDay + 1 ? [{ firstDay: endBlock, lastDay }] : []),
    ],
  };
};

/** Returns quantiles of a series, in milliseconds; null if there are no values. */
export const readQuantiles = async (
  query: SeriesQuery,
  name: Duration,
  quantiles: number[],
): Promise<(number | null)[]> => {
  const bins = new Int32Array(MAX_BINS);
  const { edges, partial, ...whole } = splitDays(query.range);
  const { blocks, days } = splitBlocks(whole);
  const target = { dayOf: () => 0, binsOf: () => bins };
  await Promise.all([
    addWholeDays({ ...query, series: totalsSeries(query.series) }, name, { ...blocks, ...target }),
    ...days.map((each) => addWholeDays(query, name, { ...each, ...target })),
    addParts(query, name, { edges, partial, ...target }),
  ]);
  return quantilesOf(bins, quantiles);
};

/** The quantiles of a day. `day` is the number of days since the epoch. */
export interface DayQuantiles {
  day: number;
  /** Number of values. */
  count: number;
  values: (number | null)[];
}

/** Returns the quantiles of each day that has values, oldest first. The days are those of the time zone `zone`. */
export const readDayQuantiles = async (
  query: SeriesQuery & { zone: string },
  name: Duration,
  quantiles: number[],
): Promise<DayQuantiles[]> => {
  const byDay = new Map<number, Int32Array>();
  const converterOf = memoize((utcDay) => localQuarters(query.zone, utcDay));
  const target: DayBins = {
    dayOf: (quarter) => dayOf(converterOf(dayOf(quarter))(quarter)),
    binsOf: (day) => {
      const bins = byDay.get(day) ?? new Int32Array(MAX_BINS);
      byDay.set(day, bins);
      return bins;
    },
  };
  const { edges, partial, ...whole } = splitDays(query.range);
  const [days] = await Promise.all([
    addWholeDays(query, name, { ...whole, ...target }),
    addParts(query, name, { edges, partial, ...target }),
  ]);
  await moveQuarterHours(query, name, { days, ...target });
  return [...byDay]
    .map(([day, bins]) => ({ day, count: countOf(bins), values: quantilesOf(bins, quantiles) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => one.day - other.day);
};
