/**
 * A mergeable sketch of durations (DDSketch): values are counted in bins whose bounds grow by a constant factor. Unlike
 * the published packages for DDSketch, this implementation can also remove a value, which corrections need.
 */
/** The largest relative error of a value that is read from a sketch. */
export const RELATIVE_ERROR = 0.01;
/** The number of bins, which is enough for every duration in milliseconds. */
export const MAX_BINS = 4096;

const GROWTH = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LOG_GROWTH = Math.log(GROWTH);

/**
 * Returns the bin of a duration in milliseconds. Bin 0 is for durations below 1 ms, bin n for durations in
 * (GROWTH^(n-2), GROWTH^(n-1)].
 */
export const binOf = (value: number): number =>
  value < 1 ? 0 : Math.min(MAX_BINS - 1, Math.ceil(Math.log(value) / LOG_GROWTH - 1e-9) + 1);

/** Returns the value that differs from every value of a bin by at most `RELATIVE_ERROR`. */
const valueOf = (bin: number): number => (bin === 0 ? 0 : (2 * GROWTH ** (bin - 1)) / (GROWTH + 1));

/** Returns the number of values that the bins count. */
export const countOf = (bins: Int32Array): number => {
  let count = 0;
  // A `for...of` loop would be several times slower.
  for (let bin = 0; bin < bins.length; bin++) count += bins[bin] as number;
  return count;
};

/**
 * Returns the bin that contains the value with the given rank (0 is the smallest value), and the number of values up to
 * and including that bin. `from` is the result for a lower rank, from which the search continues.
 */
const findRank = (bins: Int32Array, rank: number, from: { bin: number; seen: number }) => {
  let { bin, seen } = from;
  while (seen <= rank && bin < bins.length - 1) seen += bins[++bin] as number;
  return { bin, seen };
};

/**
 * Returns quantiles of the values that the bins count; null if there are no values. `quantiles` must be in ascending
 * order; 0.5 is the median. A quantile is interpolated between its two neighbouring values, as in a spreadsheet.
 */
export const quantilesOf = (bins: Int32Array, quantiles: number[]): (number | null)[] => {
  const count = countOf(bins);
  let found = { bin: -1, seen: 0 };
  return quantiles.map((q) => {
    if (!count) return null;
    const rank = q * (count - 1);
    found = findRank(bins, Math.floor(rank), found);
    const low = valueOf(found.bin);
    const high = valueOf(findRank(bins, Math.ceil(rank), found).bin);
    return low + (rank - Math.floor(rank)) * (high - low);
  });
};
