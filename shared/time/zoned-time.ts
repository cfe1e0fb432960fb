/** Converts times to the local time of a time zone, with the tz database in Node.js. */
import { LRUCache } from 'lru-cache';

/**
 * A local time: `day` as YYYY-MM-DD, and `minute` of the day as the clock shows it. On days when the clock changes,
 * `minute` differs from the minutes that have passed since midnight.
 */
export interface ZonedTime {
  day: string;
  minute: number;
}

const FORMAT_OPTIONS = {
  calendar: 'gregory',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const;

/** More than the number of time zones. Without a limit, a caller could fill the cache with spellings of one name. */
const MAX_CACHED_FORMATS = 1000;

const formatCache = new LRUCache<string, Intl.DateTimeFormat>({ max: MAX_CACHED_FORMATS });

const createFormat = (timeZone: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, ...FORMAT_OPTIONS });
  } catch (error) {
    if (error instanceof RangeError) return null; // unknown time zone
    throw error;
  }
};

const formatOf = (zone: string): Intl.DateTimeFormat | null => {
  const cached = formatCache.get(zone);
  if (cached) return cached;
  const format = createFormat(zone);
  if (format) formatCache.set(zone, format);
  return format;
};

const utcFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...FORMAT_OPTIONS });

/** Whether `name` is the name of a time zone, such as `Europe/Rome`, or an offset, such as `+05:45`. */
export const isTimeZone = (name: string): boolean => formatOf(name) !== null;

/** Returns the local time in a time zone, or in UTC if the name is unknown. */
export const zonedTime = (time: Date, zone: string): ZonedTime => {
  const format = formatOf(zone) ?? utcFormat;
  const {
    year = '',
    month,
    day,
    hour,
    minute,
  } = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  // ISO 8601 writes years after 9999 with a sign and six digits. The latest permitted time, the end of 9999 in UTC, is
  // in such a year in zones ahead of UTC.
  const isoYear = year.length > 4 ? `+${year.padStart(6, '0')}` : year.padStart(4, '0');
  return { day: `${isoYear}-${month}-${day}`, minute: Number(hour) * 60 + Number(minute) };
};
