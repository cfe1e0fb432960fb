/**
 * A mergeable sketch of durations (DDSketch): values are counted in bins whose bounds grow by a constant factor. Unlike
 * the packages that implement it, this one can also remove a value, which a correction needs.
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

/** Returns the value that differs from every value of a bin by at most RELATIVE_ERROR. */
const valueOf = (bin: number): number => (bin === 0 ? 0 : (2 * GROWTH ** (bin - 1)) / (GROWTH + 1));

/**
 * Returns the quantile `q` (0.5 is the median) of the values that the bins count; null if there are none. The quantile
 * is interpolated between its two neighbouring values, as in a spreadsheet.
 */
export const quantileOf = (bins: Float64Array, q: number): number | null => {
  const total = bins.reduce((sum, count) => sum + count, 0);
  if (!total) return null;
  const valueAt = (rank: number): number => {
    let seen = 0;
    return valueOf(bins.findIndex((count) => (seen += count) > rank));
  };
  const rank = q * (total - 1);
  const lower = Math.floor(rank);
  const low = valueAt(lower);
  return low + (rank - lower) * (valueAt(Math.ceil(rank)) - low);
};
