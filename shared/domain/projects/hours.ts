/**
 * Operating hours (contract a 8.5): open or closed is what the clock on the wall says, so an hour that daylight saving
 * leaves out is never open, and one that it repeats is open twice. A range includes its start and not its end; one that
 * ends before it starts goes on after midnight, and belongs to the day on which it starts.
 */
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { predicateOf, sentence } from '../../sentences.ts';
import { isZone, type WallClock, wallClock } from '../../wall-clock.ts';

const CLOCK = /^(?:(?:[01]?\d|2[0-3]):[0-5]\d|24:00)$/;
const DATE = /^(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MOST_RANGES = 24;
const MOST_EXCEPTIONS = 1000;

const Clock = z.string().regex(CLOCK, 'must be a time such as 09:30');
const Ranges = z.array(z.object({ start: Clock, end: Clock })).max(MOST_RANGES);
/** A date, of every year where it names none, on which other ranges hold than on its weekday: none without `hours`. */
const Exception = z.object({
  date: z.string().regex(DATE, 'must be a date such as 2026-12-25 or 12-25'),
  hours: Ranges.nullish(),
});

const Day = Ranges.nullish();
/** The stored text, parsed: weekdays from `0`, Sunday, to `6`; some write Sunday as `7`. */
const Hours = z.object({
  ...{ 0: Day, 1: Day, 2: Day, 3: Day, 4: Day, 5: Day, 6: Day, 7: Day },
  tzname: z.string().min(1),
  exceptions: z.array(Exception).max(MOST_EXCEPTIONS).nullish(),
});

/** The hours of a week in a time zone, and the days that are like none of it. */
export type Hours = z.output<typeof Hours>;
type Range = z.output<typeof Ranges>[number];
type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** What is wrong with operating hours, by its number in contract a 8.5: 404 for what is not there, 500 for what can not be read. */
export const WRONG = { project: 1010, empty: 1020, slot: 1030, zone: 2000, unreadable: 3000 } as const;
const ABSENT: number[] = [WRONG.project, WRONG.slot];

/** The error as known clients read it, under either name. */
export const hoursError = (errorCode: number, text: string): AppError => {
  const told = { errorCode, msg: text };
  return new AppError(ABSENT.includes(errorCode) ? 404 : 500, 'OPERATING_HOURS', text).with({
    body: { error: told, msg: told },
  });
};

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Hours from their stored text; throws the contract's error where they can not be told. */
export const readHours = (text: string | null | undefined): Hours => {
  if (!text) throw hoursError(WRONG.empty, 'Operating hours are empty');
  const json = parsedJson(text);
  const { data } = Hours.safeParse(json);
  if (data) return data;
  if (z.object({ tzname: z.string().max(0).nullish() }).safeParse(json).success)
    throw hoursError(WRONG.zone, 'Operating hours have no time zone');
  throw hoursError(WRONG.unreadable, `Operating hours are unreadable: ${faultsOf(text).join('; ')}`);
};

const faultAt = (path: string, predicate: string): string =>
  path ? `is not allowed: ${sentence(path, predicate)}` : predicate;

/** What keeps a text from being operating hours, as predicates of it; nothing for hours that can be kept. */
export const faultsOf = (text: string): string[] => {
  const json = parsedJson(text);
  if (json === undefined) return ['must be JSON'];
  const { data, error } = Hours.safeParse(json, { error: predicateOf });
  if (error) return error.issues.map(({ path, message }) => faultAt(path.join('.'), message));
  return isZone(data.tzname) ? [] : [faultAt('tzname', 'must be a time zone such as Europe/Rome')];
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

/** Whether the hours hold at what the wall clock shows. */
const holdAt = (hours: Hours, { day, minute }: WallClock): boolean =>
  rangesOn(hours, day).some(({ start, end }) => {
    const [from, to] = [minutesOf(start), minutesOf(end)];
    return minute >= from && (minute < to || to < from);
  }) ||
  rangesOn(hours, dayBefore(day)).some(
    ({ start, end }) => minutesOf(end) < minutesOf(start) && minute < minutesOf(end),
  );

/** Whether it is open at this moment. */
export const isOpenAt = (hours: Hours, at: Date): boolean => holdAt(hours, wallClock(at, hours.tzname));

/** A named schedule of a project beside its own. */
export interface TimeSlot {
  active?: boolean;
  hours?: string;
}

/** What a project says of its hours. */
export interface Timed {
  activeOperatingHours?: boolean | null;
  operatingHours?: string | null;
  timeSlots?: Record<string, TimeSlot> | null;
}

const slotIsOpen = (slots: Record<string, TimeSlot>, name: string, at: Date): boolean => {
  const slot = Object.hasOwn(slots, name) ? slots[name] : undefined;
  if (!slot) throw hoursError(WRONG.slot, `No time slot ${name}`);
  return slot.active === false || isOpenAt(readHours(slot.hours), at);
};

/** Whether a project is open at a moment: by its own hours, or by those of a time slot (contract a 8.5, from rule 3). */
export const isProjectOpen = (project: Timed, { at, timeSlot }: { at: Date; timeSlot?: string }): boolean => {
  if (timeSlot !== undefined) return !project.timeSlots || slotIsOpen(project.timeSlots, timeSlot, at);
  return !project.activeOperatingHours || isOpenAt(readHours(project.operatingHours), at);
};
