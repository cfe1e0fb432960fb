/**
 * Totals of days. For each series (if it is grouped by a field: for each value of the field), one row per block of 32
 * days contains the total of each day, so that the sums of whole days and longer periods are read from few rows,
 * without reading quarter hours. The row also contains the sketches of the whole block.
 */

/** Number of days in a block. */
export const DAYS_PER_BLOCK = 32;
const PREFIX = 'totals ';

/** Returns the first day of the block that contains a day. */
export const blockOf = (day: number): number => Math.floor(day / DAYS_PER_BLOCK) * DAYS_PER_BLOCK;

/** Returns the name of the series that contains the totals of another series. */
export const totalsSeries = (series: string): string => PREFIX + series;

/** Whether a series contains the totals of another series. */
export const isTotals = (series: string): boolean => series.startsWith(PREFIX);

/** Returns the name of the series whose totals a series contains, or its own name. */
export const countedSeries = (series: string): string => (isTotals(series) ? series.slice(PREFIX.length) : series);
