/**
 * The columns of a row that contain sketches. Each duration has one sketch of the whole day and, in four columns of six
 * hours each, the sketches of the quarter hours. To convert UTC days to the days of a time zone, only the columns whose
 * quarter hours may belong to a local day other than that of noon (UTC) are read. If the days of the time zone begin at
 * 18:15 UTC, only the last column is read.
 */
import { QUARTERS_PER_DAY } from './quarter-hours.ts';

/** The durations that are stored as sketches. */
export type Duration = 'waiting' | 'duration';

const PARTS = 4;
const SLOTS_PER_PART = QUARTERS_PER_DAY / PARTS;
const SKETCH_COLUMN = /Bins\d?$/;

/** The columns with the sketches of days. Rows of blocks have the same columns. */
export const DAY_SKETCHES = ['waitingBins', 'durationBins'];

/** Whether a column contains sketches. */
export const isSketch = (column: string): boolean => SKETCH_COLUMN.test(column);

/** Returns the column with the sketch of a day. */
export const daySketch = (name: Duration): string => `${name}Bins`;

/** Returns the column with the sketch of a quarter hour; `slot` is its index in the day. */
export const quarterSketch = (name: Duration, slot: number): string =>
  `${name}QuarterBins${Math.floor(slot / SLOTS_PER_PART)}`;

/** Returns the columns with the sketches of the quarter hours from `first` (inclusive) to `end` (exclusive). */
export const quarterSketches = (name: Duration, { first, end } = { first: 0, end: QUARTERS_PER_DAY }): string[] => {
  const parts = Array.from({ length: PARTS }, (_, part) => part * SLOTS_PER_PART);
  return parts.filter((slot) => slot + SLOTS_PER_PART > first && slot < end).map((slot) => quarterSketch(name, slot));
};
