/** Converts the days and times of a query to a range of dates in a time zone. */
import { zonedTime } from '#shared/time/zoned-time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const DATE_PATTERN = /^(\d{2})\/(\d{2})\/(\d{4})(?: (\d{2}):(\d{2}):(\d{2}))?$/;

/**
 * Parses `DD/MM/YYYY` or, if `hasTime` is true, `DD/MM/YYYY HH:mm:ss`, as UTC. Returns milliseconds since the epoch,
 * or null if the text is invalid.
 */
export const parseDateText = (text: string, hasTime: boolean): number | null => {
  const [, day, month, year, hour, minute, second] = DATE_PATTERN.exec(text) ?? [];
  if (!day || hasTime !== (hour !== undefined)) return null;
  const time = `${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`;
  const ms = Date.parse(`${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(day) ? null : ms;
};

/** Returns the offset of a time zone from UTC at the time `ms`. The offset and `ms` are in milliseconds. */
const utcOffsetMs = (ms: number, zone: string): number => {
  const { day, minute } = zonedTime(new Date(ms), zone);
  return Date.parse(`${day}T00:00:00Z`) + minute * MINUTE_MS - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
};

/** Returns the moment at which clocks in a time zone show the time `clockMs`, which is a clock time parsed as UTC. */
export const zonedDate = (zone: string, clockMs: number): Date => {
  const estimateMs = clockMs - utcOffsetMs(clockMs, zone);
  return new Date(clockMs - utcOffsetMs(estimateMs, zone));
};

/** The range parameters of a query: days, or times if no day is given. */
export interface DateRangeQuery {
  start_date?: string;
  end_date?: string;
  start_date_time?: string;
  end_date_time?: string;
}

/**
 * Returns the range of a query in a time zone, or null if the query has no dates. The range includes the whole end day,
 * or the whole end second.
 */
export const toDateRange = (query: DateRangeQuery, zone: string): { $gte?: Date; $lt?: Date } | null => {
  const { start_date, end_date, start_date_time, end_date_time } = query;
  const hasTime = !start_date && !end_date;
  const [start, end] = hasTime ? [start_date_time, end_date_time] : [start_date, end_date];
  if (!start && !end) return null;
  const toDate = (text: string, addedMs = 0) => zonedDate(zone, (parseDateText(text, hasTime) as number) + addedMs);
  return {
    ...(start && { $gte: toDate(start) }),
    ...(end && { $lt: toDate(end, hasTime ? 1000 : DAY_MS) }),
  };
};
