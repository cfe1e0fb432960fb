/**
 * Operating hours of a project, in local time: an hour that daylight saving time skips is never open, and an hour that
 * it repeats is open twice. A range includes its start and excludes its end. A range whose end is before its start
 * continues after midnight and belongs to the day on which it starts.
 */
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { Project } from '../../models/project.ts';
import { isTimeZone, type ZonedTime, zonedTime } from '../../time/zoned-time.ts';
import { predicateOf, sentence } from '../../wire/validation-messages.ts';

const CLOCK_PATTERN = /^(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)$/;
const DATE_PATTERN = /^(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MAX_RANGES = 24;
const MAX_EXCEPTIONS = 1000;

const Clock = z.string().regex(CLOCK_PATTERN, 'must be a time such as 09:30');
const Ranges = z.array(z.object({ start: Clock, end: Clock })).max(MAX_RANGES);
/**
 * A date whose ranges replace those of its weekday; without `hours`, the project is closed on the date. A date without
 * a year applies to every year.
 */
const Exception = z.object({
  date: z.string().regex(DATE_PATTERN, 'must be a date such as 2026-12-25 or 12-25'),
  hours: Ranges.nullish(),
});

const Day = Ranges.nullish();
/** The stored JSON: the ranges of each weekday, from `0` (Sunday) to `6`. Some clients write Sunday as `7`. */
const Hours = z.object({
  ...{ 0: Day, 1: Day, 2: Day, 3: Day, 4: Day, 5: Day, 6: Day, 7: Day },
  tzname: z.string().min(1),
  exceptions: z.array(Exception).max(MAX_EXCEPTIONS).nullish(),
});

/** The hours of a week in a time zone, with exceptions for dates. */
export type Hours = z.output<typeof Hours>;
type Range = z.output<typeof Ranges>[number];
type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/**
 * Error codes of operating hours, which deployed clients read. An unknown project or time slot results in a 404,
 * unreadable hours in a 500.
 */
export const HOURS_ERROR = { project: 1010, empty: 1020, timeSlot: 1030, zone: 2000, unreadable: 3000 } as const;
const NOT_FOUND_ERRORS: number[] = [HOURS_ERROR.project, HOURS_ERROR.timeSlot];

/** Builds an error whose body has its details as `error` and as `msg`, because deployed clients read both. */
export const hoursError = (errorCode: number, text: string): AppError => {
  const details = { errorCode, msg: text };
  return new AppError(NOT_FOUND_ERRORS.includes(errorCode) ? 404 : 500, 'INVALID_OPERATING_HOURS', text).with({
    body: { error: details, msg: details },
  });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Parses operating hours from the stored JSON. Throws `hoursError` if they are empty or unreadable. */
export const readHours = (text: string | null | undefined): Hours => {
  if (!text) throw hoursError(HOURS_ERROR.empty, 'Operating hours are empty');
  const json = parseJson(text);
  const { data } = Hours.safeParse(json);
  if (data) return data;
  if (z.object({ tzname: z.string().max(0).nullish() }).safeParse(json).success)
    throw hoursError(HOURS_ERROR.zone, 'Operating hours have no time zone');
  throw hoursError(HOURS_ERROR.unreadable, `Operating hours are unreadable: ${validateHours(text).join('; ')}`);
};

const problemAt = (path: string, predicate: string): string =>
  path ? `is not allowed: ${sentence(path, predicate)}` : predicate;

/** Validates operating hours. Returns the problems as predicates such as "must be JSON"; empty if there are none. */
export const validateHours = (text: string): string[] => {
  const json = parseJson(text);
  if (json === undefined) return ['must be JSON'];
  const { data, error } = Hours.safeParse(json, { error: predicateOf });
  if (error) return error.issues.map(({ path, message }) => problemAt(path.join('.'), message));
  return isTimeZone(data.tzname) ? [] : [problemAt('tzname', 'must be a time zone such as Europe/Rome')];
};

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

const DAY_MS = 86_400_000;
const dayBefore = (day: string): string => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);

const exceptionOn = ({ exceptions }: Hours, date: string) => exceptions?.find((exception) => exception.date === date);

const rangesOn = (hours: Hours, day: string): Range[] => {
  const exception = exceptionOn(hours, day) ?? exceptionOn(hours, day.slice('YYYY-'.length));
  if (exception) return exception.hours ?? [];
  const weekday = new Date(day).getUTCDay() as Weekday;
  return [...(hours[weekday] ?? []), ...((weekday === 0 && hours[7]) || [])];
};

/** Returns whether a local time is within the hours. */
const coversTime = (hours: Hours, { day, minute }: ZonedTime): boolean =>
  rangesOn(hours, day).some(({ start, end }) => {
    const [from, to] = [minutesOf(start), minutesOf(end)];
    return minute >= from && (minute < to || to < from);
  }) ||
  rangesOn(hours, dayBefore(day)).some(
    ({ start, end }) => minutesOf(end) < minutesOf(start) && minute < minutesOf(end),
  );

/** Returns whether a time is within the hours. */
export const isOpenAt = (hours: Hours, at: Date): boolean => coversTime(hours, zonedTime(at, hours.tzname));

/** A named schedule that a project has in addition to its own hours. */
export interface TimeSlot {
  active?: boolean;
  hours?: string;
}

/** The fields of a project that define its hours. */
export interface ProjectHours {
  activeOperatingHours?: boolean | null;
  operatingHours?: string | null;
  timeSlots?: Record<string, TimeSlot> | null;
}

const isTimeSlotOpen = (slots: Record<string, TimeSlot>, name: string, at: Date): boolean => {
  const slot = Object.hasOwn(slots, name) ? slots[name] : undefined;
  if (!slot) throw hoursError(HOURS_ERROR.timeSlot, `No time slot ${name}`);
  return slot.active === false || isOpenAt(readHours(slot.hours), at);
};

/**
 * Returns whether a project is open at a given time according to its own hours or those of a time slot. If a time slot
 * is given but the project has none, the project is open. Throws `hoursError` for an unknown time slot or unreadable
 * hours.
 */
export const isProjectOpen = (project: ProjectHours, { at, timeSlot }: { at: Date; timeSlot?: string }): boolean => {
  if (timeSlot !== undefined) return !project.timeSlots || isTimeSlotOpen(project.timeSlots, timeSlot, at);
  return !project.activeOperatingHours || isOpenAt(readHours(project.operatingHours), at);
};

const TIME_ZONE_PATTERN = /"tzname"\s*:\s*"([^"]+)"/;

/**
 * Returns the time zone of a project's operating hours, even if the hours are not active; UTC if there is no valid one.
 */
export const timeZoneOf = async (id: string): Promise<string> => {
  const found = await Project.findOne({ _id: id }, { operatingHours: 1 }).lean();
  const [, zone = 'UTC'] = TIME_ZONE_PATTERN.exec(found?.operatingHours ?? '') ?? [];
  return isTimeZone(zone) ? zone : 'UTC';
};
