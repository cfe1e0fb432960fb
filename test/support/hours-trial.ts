/**
 * Operating hours against the tz database: zones.json is what `zdump` reads from it (2025b), offsets in minutes from each
 * moment on. What is open is painted minute by minute; nothing here knows how the code under test works.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { isOpenAt, readHours } from '#shared/domain/projects/hours.ts';

const table = JSON.parse(readFileSync(new URL('../data/zones.json', import.meta.url), 'utf8')) as Record<
  string,
  [from: string, offset: number][]
>;

const MINUTE = 60_000;
const DAY = 1440;
const FIRST = Date.parse('2026-01-01T00:00Z');
const LAST = Date.parse('2028-01-01T00:00Z');

/** The zones of the table. */
export const ZONES = Object.keys(table);

/** The moments of 2026 and 2027 at which a zone changes its clocks. */
export const changesOf = (zone: string): number[] =>
  (table[zone] ?? []).map(([from]) => Date.parse(from)).filter((at) => at >= FIRST && at < LAST);

/** Ranges as painted: minutes from midnight. */
type Painted = [start: number, end: number][];
interface Plan {
  week: Painted[];
  exceptions: [date: string, ranges: Painted][];
}

const dateOf = (local: number): string => new Date(local).toISOString().slice(0, 10);

/** A moment as a count of milliseconds that UTC would show as the zone's wall does. */
const wallOf = (zone: string, at: number): number => {
  const [, offset] = (table[zone] ?? []).findLast(([from]) => Date.parse(from) <= at) as [string, number];
  return at + offset * MINUTE;
};

const rangesOf = ({ week, exceptions }: Plan, local: number): Painted => {
  const date = dateOf(local);
  const own = exceptions.find(([day]) => day === date) ?? exceptions.find(([day]) => day === date.slice(5));
  return own ? own[1] : (week[new Date(local).getUTCDay()] as Painted);
};

/** Two days of minutes, painted with the ranges that start on the first of them. */
const paint = (ranges: Painted): boolean[] => {
  const minutes = Array.from({ length: 2 * DAY }, () => false);
  for (const [start, end] of ranges) minutes.fill(true, start, end < start ? end + DAY : end);
  return minutes;
};

const expected = (plan: Plan, zone: string, at: number): boolean => {
  const local = wallOf(zone, at);
  const minute = Math.floor((local % (DAY * MINUTE)) / MINUTE);
  const today = paint(rangesOf(plan, local));
  const yesterday = paint(rangesOf(plan, local - DAY * MINUTE));
  return Boolean(today[minute] || yesterday[minute + DAY]);
};

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const written = (ranges: Painted) => ranges.map(([start, end]) => ({ start: clock(start), end: clock(end) }));

const textOf = ({ week, exceptions }: Plan, zone: string): string =>
  JSON.stringify({
    ...Object.fromEntries(week.map((ranges, weekday) => [weekday, written(ranges)])),
    tzname: zone,
    exceptions: exceptions.map(([date, ranges]) => ({ date, hours: written(ranges) })),
  });

/** Minutes of a day, half of them at night, when clocks are changed. */
const aMinute = (most: number) => fc.oneof(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: 240 }));
const aDay = fc.array(fc.tuple(aMinute(DAY - 1), aMinute(DAY)), { maxLength: 3 });

const aDate = (days: string[]) => fc.constantFrom(...days).chain((day) => fc.constantFrom(day, day.slice(5)));

/** The changes of the clocks, the midnights around them, and any other moment of the two years. */
const aMoment = (changes: number[]) => {
  const anywhere = fc.integer({ min: FIRST, max: LAST });
  if (!changes.length) return anywhere;
  const near = (minutes: number) =>
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -minutes * MINUTE, max: minutes * MINUTE }))
      .map(([change, away]) => change + away);
  return fc.oneof(near(2 * DAY), near(150), anywhere);
};

const aCase = (zone: string) => {
  const changes = changesOf(zone);
  const days = [...changes, FIRST].flatMap((at) =>
    [-1, 0, 1].map((away) => dateOf(wallOf(zone, at + away * DAY * MINUTE))),
  );
  const exceptions = fc.uniqueArray(fc.tuple(aDate(days), aDay), { maxLength: 4, selector: ([date]) => date });
  const plan = fc.record({ week: fc.array(aDay, { minLength: 7, maxLength: 7 }), exceptions });
  return fc.tuple(plan, aMoment(changes));
};

/** Any hours at any moment, and above all around the changes of the clocks: as the tz database has it, in so many cases. */
export const expectAsPainted = (zone: string, cases: number): void =>
  fc.assert(
    fc.property(aCase(zone), ([plan, at]) => {
      expect(isOpenAt(readHours(textOf(plan, zone)), new Date(at))).to.equal(expected(plan, zone, at));
    }),
    { numRuns: cases },
  );
