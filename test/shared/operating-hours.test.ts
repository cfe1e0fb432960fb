import { expect } from 'chai';
import { isOpenAt, isProjectOpen, readHours, validateHours } from '#shared/domain/availability/operating-hours.ts';
import { isTimeZone, zonedTime } from '#shared/time/zoned-time.ts';
import { clockChanges, expectHoursMatch, ZONES } from '../support/operating-hours-trials.ts';

const CASES_PER_ZONE = 150;
const ROME_ZONE = 'Europe/Rome';

const hours = (more: object, tzname = ROME_ZONE) => JSON.stringify({ ...more, tzname });
const range = (start: string, end: string) => ({ start, end });
const everyDay = (...ranges: object[]) => Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, ranges]));
const isOpen = (text: string, at: string) => isOpenAt(readHours(text), new Date(at));
const codeOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return (error as { body?: { msg?: { errorCode?: number } } }).body?.msg?.errorCode;
  }
};

describe('Operating hours', () => {
  // 2026-11-23 is a Monday; Rome is at UTC+1 in winter.
  it('a project is open from the start of each range until just before the end of the range', () => {
    const text = hours({ 1: [range('09:00', '13:00'), range('14:00', '18:00')] });
    const at = ['07:59:59', '08:00', '11:59:59', '12:00', '12:59', '13:00', '16:59', '17:00'];
    expect(at.map((time) => isOpen(text, `2026-11-23T${time}Z`))).to.deep.equal(
      [false, true, true, false, false, true, true, false], //
    );
    expect(isOpen(text, '2026-11-24T08:00Z'), 'another weekday').to.equal(false);
  });

  it('a range whose end is earlier than its start continues after midnight, including from Sunday into Monday', () => {
    const text = hours({ 0: [range('22:00', '02:00')] });
    const at = ['2026-11-22T20:59Z', '2026-11-22T21:00Z', '2026-11-23T00:59Z', '2026-11-23T01:00Z'];
    expect(at.map((time) => isOpen(text, time))).to.deep.equal([false, true, true, false]);
  });

  it('Sunday can be given as 0 or as 7, and 24:00 is the end of the day', () => {
    for (const sunday of [0, 7])
      expect(isOpen(hours({ [sunday]: [range('00:00', '24:00')] }), '2026-11-22T22:59Z')).to.equal(true);
  });

  it('an exception replaces the hours of its date, and an exception without hours closes the project on its date', () => {
    const exceptions = [
      { date: '2026-12-24', hours: [range('09:00', '12:00')] },
      { date: '12-25', name: 'Christmas' },
      { date: '2027-12-25', hours: [range('10:00', '11:00')] },
    ];
    const text = hours({ ...everyDay(range('09:00', '18:00')), exceptions });
    const at = [
      '2026-12-24T10:59Z',
      '2026-12-24T11:00Z',
      '2026-12-25T10:00Z',
      '2026-12-26T10:00Z',
      '2027-12-25T09:30Z',
    ];
    expect(at.map((time) => isOpen(text, time))).to.deep.equal([true, false, false, true, true]);
  });

  it('a range that starts on the day before a holiday still ends after midnight', () => {
    const text = hours({ ...everyDay(range('20:00', '03:00')), exceptions: [{ date: '12-25' }] });
    const at = ['2026-12-25T01:59Z', '2026-12-25T02:00Z', '2026-12-25T20:00Z', '2026-12-26T01:00Z'];
    expect(at.map((time) => isOpen(text, time))).to.deep.equal([true, false, false, false]);
  });

  it('a project is never open in a range within the hour skipped by daylight saving time, and is open twice in a range within the repeated hour', () => {
    const text = hours(everyDay(range('02:00', '03:00')));
    const minutes = (from: string) =>
      [0, 1, 2, 3].map((hour) => isOpen(text, new Date(Date.parse(from) + hour * 3_600_000).toISOString()));
    expect(minutes('2026-03-29T00:00Z')).to.deep.equal([false, false, false, false]);
    expect(minutes('2026-10-24T23:30Z')).to.deep.equal([false, true, true, false]);
  });

  it('every time zone that Intl supports is valid, and an unknown time zone is read as UTC', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((zone) => !isTimeZone(zone))).to.deep.equal([]);
    expect(isTimeZone('Mars/Olympus')).to.equal(false);
    expect(zonedTime(new Date('2026-11-23T08:05:59Z'), 'Mars/Olympus')).to.deep.equal({
      day: '2026-11-23',
      minute: 485,
    });
  });

  it('invalid operating hours or time slots are reported with error codes 1020, 1030, 2000 and 3000', () => {
    const active = { activeOperatingHours: true };
    const at = new Date();
    expect(codeOf(() => isProjectOpen({ ...active, operatingHours: '' }, { at }))).to.equal(1020);
    expect(codeOf(() => isProjectOpen(active, { at }))).to.equal(1020);
    expect(codeOf(() => isProjectOpen({ ...active, operatingHours: '{"1":[]}' }, { at }))).to.equal(2000);
    expect(codeOf(() => isProjectOpen({ ...active, operatingHours: '{' }, { at }))).to.equal(3000);
    expect(codeOf(() => isProjectOpen({ timeSlots: { night: {} } }, { at, timeSlot: 'day' }))).to.equal(1030);
    expect(codeOf(() => isProjectOpen({ timeSlots: { night: {} } }, { at, timeSlot: 'constructor' }))).to.equal(1030);
    expect(codeOf(() => isProjectOpen({ timeSlots: { night: {} } }, { at, timeSlot: 'night' }))).to.equal(1020);
  });

  it('a project is open if its operating hours or the requested time slot are disabled, or if a time slot is requested but none exist', () => {
    const closed = { activeOperatingHours: true, operatingHours: hours({}) };
    const at = new Date();
    expect(isProjectOpen(closed, { at })).to.equal(false);
    expect(isProjectOpen({ ...closed, activeOperatingHours: false }, { at })).to.equal(true);
    expect(isProjectOpen(closed, { at, timeSlot: 'night' })).to.equal(true);
    const slot = (active: boolean) => ({ timeSlots: { night: { active, hours: hours({}) } } });
    expect([true, false].map((active) => isProjectOpen(slot(active), { at, timeSlot: 'night' }))).to.deep.equal([
      false,
      true,
    ]);
  });

  it('validateHours reports one problem for each text that does not contain valid operating hours', () => {
    expect(validateHours(hours(everyDay(range('9:00', '24:00'))))).to.deep.equal([]);
    for (const text of ['', '{', 'null', '[]', '{}', hours({}, 'Mars/Olympus'), hours({ 1: [range('9', '10:00')] })])
      expect(validateHours(text), text).to.have.lengthOf(1);
  });
});

describe('Operating hours against the tz database', () => {
  // Without enough changes, the random cases below would hardly test daylight saving time.
  it('more than ten of the tested time zones change their clocks four times in 2026 and 2027', () => {
    expect(ZONES.filter((zone) => clockChanges(zone).length === 4)).to.have.length.above(10);
  });

  for (const zone of ZONES)
    it(`operating hours in ${zone} match the tz database in ${CASES_PER_ZONE} random cases`, () =>
      expectHoursMatch(zone, CASES_PER_ZONE));
});
