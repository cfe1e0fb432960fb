/**
 * Query schemas of analytics, and the period that a query selects. A figure is an endpoint of analytics, such as
 * `requests/count`.
 */
import { z } from 'zod';
import { DAY_MS } from '#shared/domain/analytics/quarter-hours.ts';
import type { TimeRange } from '#shared/domain/analytics/read-rollups.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { integer } from '#shared/wire/coercion.ts';
import { parseDateText, zonedDate } from '../conversations/date-range.ts';
import { TimeZoneName } from '../http/request/time-zone.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO_TIME = z.iso.datetime({ offset: true, local: true });
const HAS_OFFSET = /(Z|[+-]\d{2}:?\d{2})$/i;
const MAX_SECONDS = 3_200_000_000;
/** The latest time that a `Date` can hold; its negative is the earliest. */
const MAX_TIME_MS = 8_640_000_000_000_000;

/** The `start` or `end` of a query: a whole day, or a time with its own offset or in the query's time zone. */
interface ParsedTime {
  /** Milliseconds since the epoch. A time without an offset is parsed as UTC. */
  clockMs: number;
  isDay: boolean;
  hasOffset: boolean;
}

const parseTime = (text: string): ParsedTime | null => {
  const slashed = parseDateText(text, false);
  if (slashed !== null) return { clockMs: slashed, isDay: true, hasOffset: false };
  const isDay = ISO_DAY.test(text);
  if (!isDay && !ISO_TIME.safeParse(text).success) return null;
  const hasOffset = !isDay && HAS_OFFSET.test(text);
  const clockMs = Date.parse(isDay ? `${text}T00:00:00Z` : hasOffset ? text : `${text}Z`);
  // `Date.parse` reads 30 February as 1 or 2 March.
  const isValid = !isDay || new Date(clockMs || 0).toISOString().startsWith(text);
  return Number.isNaN(clockMs) || !isValid ? null : { clockMs, isDay, hasOffset };
};

const TIME_FORMATS = 'YYYY-MM-DD, DD/MM/YYYY or an ISO 8601 time';

const TimeText = z
  .string()
  .max(INPUT_LIMITS.name)
  .refine((text) => text === '' || parseTime(text) !== null, `must be ${TIME_FORMATS}`)
  .optional();

const OFFSET = /^[+-]\d/;
const OFFSET_OF_QUARTER_HOURS = /^[+-]\d{2}(:?(00|15|30|45))?$/;

const QuarterHourTimeZone = TimeZoneName.refine(
  (zone) => !zone || !OFFSET.test(zone) || OFFSET_OF_QUARTER_HOURS.test(zone),
  'must have an offset that is a multiple of 15 minutes, because counts are stored per quarter hour',
);

const textFilter = (description: string) => z.string().max(INPUT_LIMITS.name).optional().meta({ description });

/** The parameters of every figure. */
export const FigureQuery = z.object({
  start: TimeText.meta({ description: `First day or time: ${TIME_FORMATS}; replaces the default period` }),
  end: TimeText.meta({ description: `Last day (inclusive) or end of the period: ${TIME_FORMATS}` }),
  timezone: QuarterHourTimeZone.meta({
    description: 'Time zone of the dates, such as Europe/Rome or +05:45 (`+` is written as %2B in a URL); default UTC',
  }),
  format: z.enum(['json', 'csv']).optional().meta({ description: '`csv`: the response is a CSV file' }),
});

/** Default periods, in days. */
export const MONTH_DAYS = 30;
export const WEEK_DAYS = 7;

/** The parameter for the length of a figure's period in days. */
export const lastDays = {
  lastdays: textFilter('Number of days before `end` or now; a value that is not a number selects the whole history'),
};

/** The filters for conversations. */
const conversationFilters = {
  department_id: textFilter('Id of the department'),
  participant: textFilter('A participant: id of a user, or `bot_` followed by the id of a bot'),
  channel: textFilter('Name of the channel, such as chat21, email or whatsapp'),
};

/** The parameters of figures about conversations. */
export const ConversationsQuery = FigureQuery.extend(conversationFilters);
export const ConversationDaysQuery = ConversationsQuery.extend(lastDays);

/** The filters for messages. */
export const messageFilters = {
  department_id: textFilter("Id of the conversation's department"),
  channel: textFilter('Name of the channel, such as chat21, email or whatsapp'),
  sender: textFilter('Id of the sender'),
  recipient: textFilter('`request_id` of the conversation'),
};

/** The additional parameter of the figure `requests/waiting`. */
export const lastSeconds = {
  last: integer(1, MAX_SECONDS)
    .optional()
    .meta({ description: 'Length of the period before `end` or now, in seconds; default 2592000 (30 days)' }),
};

/** The parameters that determine a period. */
export interface PeriodQuery {
  start?: string;
  end?: string;
  timezone?: string;
  lastdays?: string;
  last?: number;
  /**
   * When the participant or sender of the query was last deleted from the team, if ever. The period does not begin
   * earlier, so that the records of a teammate who returns are counted only since then.
   */
  notBefore?: Date | null;
}

const periodLength = ({ lastdays, last }: PeriodQuery, defaultDays: number | null): number => {
  if (last !== undefined) return last * 1000;
  const days = lastdays === undefined ? defaultDays : Number(lastdays);
  return days === null || !(Math.abs(days) < Infinity) ? Infinity : days * DAY_MS;
};

const toMoment = (text: string, zone: string, addedMs: number): number => {
  const { clockMs, isDay, hasOffset } = parseTime(text) as ParsedTime;
  if (hasOffset) return clockMs;
  return zonedDate(zone, clockMs + (isDay ? addedMs : 0)).getTime();
};

/** Returns the time zone of a query; UTC by default. */
export const zoneOf = ({ timezone }: PeriodQuery): string => timezone ?? 'UTC';

/**
 * Returns the period of a query: from `start` to `end` or, without `start`, the `defaultDays` days before `end` or now,
 * unless `lastdays` or `last` gives another length. `defaultDays` is null for figures of the whole history. A period
 * without `end` has no upper bound.
 */
export const periodOf = (query: PeriodQuery, defaultDays: number | null): TimeRange => {
  const { start, end, notBefore } = query;
  const to = end ? toMoment(end, zoneOf(query), DAY_MS) : undefined;
  const first = start ? toMoment(start, zoneOf(query), 0) : (to ?? currentTimeMs()) - periodLength(query, defaultDays);
  const from = Math.max(first, notBefore?.getTime() ?? -Infinity);
  return { ...(from > -MAX_TIME_MS && { from: Math.min(from, MAX_TIME_MS) }), ...(to !== undefined && { to }) };
};
