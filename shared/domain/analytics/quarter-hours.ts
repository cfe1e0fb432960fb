/**
 * Quarter hours since the epoch, in UTC and in time zones. The offset of every time zone from UTC is a multiple of a
 * quarter hour.
 */
import { LRUCache } from 'lru-cache';
import { zonedTime } from '../../time/zoned-time.ts';

export const QUARTER_MS = 900_000;
export const QUARTERS_PER_DAY = 96;
export const DAY_MS = QUARTER_MS * QUARTERS_PER_DAY;

const QUARTER_MINUTES = 15;
const MAX_CACHED_OFFSETS = 50_000;

/** Returns the quarter hour that contains a time. */
export const quarterOf = (time: Date): number => Math.floor(time.getTime() / QUARTER_MS);

/** Returns the day that contains a quarter hour, in the same time zone as the quarter hour. */
export const dayOf = (quarter: number): number => Math.floor(quarter / QUARTERS_PER_DAY);

const computeOffset = (zone: string, quarter: number): number => {
  const { day, minute } = zonedTime(new Date(quarter * QUARTER_MS), zone);
  return Date.parse(`${day}T00:00:00Z`) / QUARTER_MS + Math.floor(minute / QUARTER_MINUTES) - quarter;
};

const offsets = new LRUCache<string, number>({ max: MAX_CACHED_OFFSETS });

/** Returns how far a time zone is ahead of UTC at the start of a UTC day, in quarter hours. */
const offsetAtStart = (zone: string, day: number): number => {
  const key = `${zone} ${day}`;
  const cached = offsets.get(key);
  if (cached !== undefined) return cached;
  const offset = computeOffset(zone, day * QUARTERS_PER_DAY);
  offsets.set(key, offset);
  return offset;
};

/**
 * Returns a function that converts the quarter hours of a UTC day to the local time of a time zone. The offset is
 * computed for each quarter hour only on days when the clocks change.
 */
export const localQuarters = (zone: string, day: number): ((quarter: number) => number) => {
  if (zone === 'UTC') return (quarter) => quarter;
  const offset = offsetAtStart(zone, day);
  if (offset === offsetAtStart(zone, day + 1)) return (quarter) => quarter + offset;
  return (quarter) => quarter + computeOffset(zone, quarter);
};
