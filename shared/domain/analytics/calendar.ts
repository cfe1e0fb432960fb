/** Converts days since the epoch to dates, weekdays and weeks. */
import { DAY_MS } from './quarter-hours.ts';

const DAYS_PER_WEEK = 7;
/** The weekday of 1 January 1970, with Sunday as 0. */
const EPOCH_WEEKDAY = 4;

export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

/** Converts days since the epoch to a date. */
export const calendarDay = (day: number): CalendarDay => {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};

/** Returns the first day of the month that contains a day. */
export const monthStart = (day: number): number => day + 1 - calendarDay(day).day;

/** Returns the weekday of a day, with Sunday as 0. */
export const weekdayOf = (day: number): number =>
  (((day + EPOCH_WEEKDAY) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;

/** Returns the first day of a day's week, or of the day's month if the week began earlier. Weeks start on Sunday. */
export const weekStart = (day: number): number => Math.max(day - weekdayOf(day), monthStart(day));

/**
 * Returns the week of the year that contains a day. Weeks start on Sunday; the days before the first Sunday are in week
 * 0.
 */
export const weekOf = (day: number): number => {
  const yearStart = Date.UTC(calendarDay(day).year, 0, 1) / DAY_MS;
  return Math.floor((day - yearStart + DAYS_PER_WEEK - weekdayOf(day)) / DAYS_PER_WEEK);
};
