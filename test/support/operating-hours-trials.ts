/**
 * Checks operating hours against the tz database. zones.json was extracted from version 2025b with `zdump`. For each
 * zone, it lists the moments of the clock changes and the UTC offset in minutes after each. The expected result is
 * computed by marking each open minute, independently of the code under test.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { isOpenAt, readHours } from '#shared/domain/availability/operating-hours.ts';

const offsetsByZone = JSON.parse(readFileSync(new URL('../data/zones.json', import.meta.url), 'utf8')) as Record<
  string,
  [from: string, offset: number][]
>;

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 1440;
const FIRST_MS = Date.parse('2026-01-01T00:00Z');
const LAST_MS = Date.parse('2028-01-01T00:00Z');

/** The zones in zones.json. */
export const ZONES = Object.keys(offsetsByZone);

/** The moments in 2026 and 2027 at which a zone changes its clocks. */
export const clockChanges = (zone: string): number[] =>
  (offsetsByZone[zone] ?? [])
    .map(([from]) => Date.parse(from))
    .filter((moment) => moment >= FIRST_MS && moment < LAST_MS);

/** Opening hours of a day: start and end in minutes from midnight. */
type MinuteRanges = [start: number, end: number][];
interface HoursPlan {
  week: MinuteRanges[];
  exceptions: [date: string, ranges: MinuteRanges][];
}

const dateOf = (local: number): string => new Date(local).toISOString().slice(0, 10);

/** A time in milliseconds whose UTC date and time equal the local date and time in the zone at a moment. */
const localTime = (zone: string, moment: number): number => {
  const [, offset] = (offsetsByZone[zone] ?? []).findLast(([from]) => Date.parse(from) <= moment) as [string, number];
  return moment + offset * MINUTE_MS;
};

const rangesOf = ({ week, exceptions }: HoursPlan, local: number): MinuteRanges => {
  const date = dateOf(local);
  const own = exceptions.find(([day]) => day === date) ?? exceptions.find(([day]) => day === date.slice(5));
  return own ? own[1] : (week[new Date(local).getUTCDay()] as MinuteRanges);
};

/** The minutes of a day and of the next day; true in the ranges that start on the first day. */
const paintMinutes = (ranges: MinuteRanges): boolean[] => {
  const minutes = Array.from({ length: 2 * MINUTES_PER_DAY }, () => false);
  for (const [start, end] of ranges) minutes.fill(true, start, end < start ? end + MINUTES_PER_DAY : end);
  return minutes;
};

const expectedOpen = (plan: HoursPlan, zone: string, moment: number): boolean => {
  const local = localTime(zone, moment);
  const minute = Math.floor((local % (MINUTES_PER_DAY * MINUTE_MS)) / MINUTE_MS);
  const today = paintMinutes(rangesOf(plan, local));
  const yesterday = paintMinutes(rangesOf(plan, local - MINUTES_PER_DAY * MINUTE_MS));
  return Boolean(today[minute] || yesterday[minute + MINUTES_PER_DAY]);
};

const clockText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const rangesToText = (ranges: MinuteRanges) =>
  ranges.map(([start, end]) => ({ start: clockText(start), end: clockText(end) }));

const planToText = ({ week, exceptions }: HoursPlan, zone: string): string =>
  JSON.stringify({
    ...Object.fromEntries(week.map((ranges, weekday) => [weekday, rangesToText(ranges)])),
    tzname: zone,
    exceptions: exceptions.map(([date, ranges]) => ({ date, hours: rangesToText(ranges) })),
  });

/** A minute of the day; in half of the cases, a minute up to 04:00, because clocks change at night. */
const aMinute = (most: number) => fc.oneof(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: 240 }));
const aDay = fc.array(fc.tuple(aMinute(MINUTES_PER_DAY - 1), aMinute(MINUTES_PER_DAY)), { maxLength: 3 });

const aDate = (days: string[]) => fc.constantFrom(...days).chain((day) => fc.constantFrom(day, day.slice(5)));

/** A moment in 2026 or 2027, mostly within hours or days of a clock change. */
const aMoment = (changes: number[]) => {
  const anywhere = fc.integer({ min: FIRST_MS, max: LAST_MS });
  if (!changes.length) return anywhere;
  const near = (minutes: number) =>
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -minutes * MINUTE_MS, max: minutes * MINUTE_MS }))
      .map(([change, away]) => change + away);
  return fc.oneof(near(2 * MINUTES_PER_DAY), near(150), anywhere);
};

const aCase = (zone: string) => {
  const changes = clockChanges(zone);
  const days = [...changes, FIRST_MS].flatMap((moment) =>
    [-1, 0, 1].map((away) => dateOf(localTime(zone, moment + away * MINUTES_PER_DAY * MINUTE_MS))),
  );
  const exceptions = fc.uniqueArray(fc.tuple(aDate(days), aDay), { maxLength: 4, selector: ([date]) => date });
  const plan = fc.record({ week: fc.array(aDay, { minLength: 7, maxLength: 7 }), exceptions });
  return fc.tuple(plan, aMoment(changes));
};

/**
 * Expects that the code under test and the tz database agree on whether the project is open, for `cases` random plans
 * and moments, most of them around clock changes.
 */
export const expectHoursMatch = (zone: string, cases: number): void =>
  fc.assert(
    fc.property(aCase(zone), ([plan, moment]) => {
      expect(isOpenAt(readHours(planToText(plan, zone)), new Date(moment))).to.equal(expectedOpen(plan, zone, moment));
    }),
    { numRuns: cases },
  );
