/** Quantiles of durations over a range of time. */
import { QUARTERS_PER_DAY } from './quarter-hours.ts';
import { readDays, type SeriesQuery, splitDays, visitEdges } from './read-rollups.ts';
import { MAX_BINS, quantileOf } from './sketch.ts';
import { visitVector } from './sparse-vector.ts';

const addTo = (bins: Float64Array, bin: number, amount: number): void => {
  bins[bin] = (bins[bin] ?? 0) + amount;
};

/** Adds the bins of a part of a day. */
const addPartialDays = async (
  query: SeriesQuery,
  { column, first, end }: { column: string; first: number; end: number },
  bins: Float64Array,
): Promise<void> => {
  const days = { first: Math.floor(first / QUARTERS_PER_DAY), last: Math.floor((end - 1) / QUARTERS_PER_DAY) };
  for (const { day, columns } of await readDays(query, { ...days, columns: [column] })) {
    const bytes = columns?.[column];
    if (!bytes) continue;
    const start = day * QUARTERS_PER_DAY;
    visitVector(bytes, (index, amount) => {
      const quarter = start + Math.floor(index / MAX_BINS);
      if (quarter >= first && quarter < end) addTo(bins, index % MAX_BINS, amount);
    });
  }
};

/**
 * Returns quantiles of `waiting` or `duration` of a series, in milliseconds; null without values. Whole days are read
 * from the sketches of days, the rest from those of quarter hours, so that the time hardly depends on how many
 * conversations there are.
 */
export const readQuantiles = async (
  query: SeriesQuery,
  name: 'waiting' | 'duration',
  quantiles: number[],
): Promise<(number | null)[]> => {
  const { firstDay, lastDay, partial, edges } = splitDays(query.range);
  const [daily, quarterly] = [`${name}Bins`, `${name}QuarterBins`];
  const bins = new Float64Array(MAX_BINS);
  const addWholeDays = async (): Promise<void> => {
    if (lastDay < firstDay) return;
    for (const { columns } of await readDays(query, { first: firstDay, last: lastDay, columns: [daily] }))
      if (columns?.[daily]) visitVector(columns[daily], (bin, amount) => addTo(bins, bin, amount));
  };
  await Promise.all([
    addWholeDays(),
    ...partial.map(([first, end]) => addPartialDays(query, { column: quarterly, first, end }, bins)),
    visitEdges(query, { edges, columns: [daily] }, () => (bin, amount) => addTo(bins, bin, amount)),
  ]);
  return quantiles.map((q) => quantileOf(bins, q));
};
