/** Days and times of a query in a time zone, as moments. */
import { wallClock } from '#shared/wall-clock.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const WRITTEN = /^(\d{2})\/(\d{2})\/(\d{4})(?: (\d{2}):(\d{2}):(\d{2}))?$/;

/** `DD/MM/YYYY`, with `HH:mm:ss` where a time is meant, read as if it were UTC; null for what is no date. */
export const readMoment = (text: string, timed: boolean): number | null => {
  const [, day, month, year, hour, minute, second] = WRITTEN.exec(text) ?? [];
  if (!day || timed !== (hour !== undefined)) return null;
  const time = `${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`;
  const at = Date.parse(`${year}-${month}-${day}T${time}Z`);
  return Number.isNaN(at) || new Date(at).getUTCDate() !== Number(day) ? null : at;
};

/** How far a zone's clock is ahead of UTC at a moment. */
const ahead = (at: number, zone: string): number => {
  const { day, minute } = wallClock(new Date(at), zone);
  return Date.parse(`${day}T00:00:00Z`) + minute * MINUTE - Math.floor(at / MINUTE) * MINUTE;
};

/** The moment at which the clock of a zone shows what is written. */
const momentIn = (zone: string, at: number): Date => {
  const first = at - ahead(at, zone);
  return new Date(at - ahead(first, zone));
};

/** A span as a query writes it: days, or times where no day is given (contract b 1.3). */
export interface Span {
  start_date?: string;
  end_date?: string;
  start_date_time?: string;
  end_date_time?: string;
}

/** From the first moment to before the last; an end is inclusive of its day or second. */
export const between = (span: Span, zone: string): { $gte?: Date; $lt?: Date } | null => {
  const { start_date, end_date, start_date_time, end_date_time } = span;
  const timed = !start_date && !end_date;
  const [start, end] = timed ? [start_date_time, end_date_time] : [start_date, end_date];
  if (!start && !end) return null;
  const moment = (text: string, later = 0) => momentIn(zone, (readMoment(text, timed) as number) + later);
  return {
    ...(start && { $gte: moment(start) }),
    ...(end && { $lt: moment(end, timed ? 1000 : DAY) }),
  };
};
