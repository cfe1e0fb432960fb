import { expect } from 'chai';
import { faultsOf, isOpenAt, isProjectOpen, readHours } from '#shared/domain/projects/hours.ts';
import { isZone, wallClock } from '#shared/wall-clock.ts';
import { changesOf, expectAsPainted, ZONES } from '../support/hours-trial.ts';

const CASES = 500;
const ROME = 'Europe/Rome';

const hours = (more: object, tzname = ROME) => JSON.stringify({ ...more, tzname });
const range = (start: string, end: string) => ({ start, end });
const every = (...ranges: object[]) => Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, ranges]));
const open = (text: string, at: string) => isOpenAt(readHours(text), new Date(at));
const codeOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return (error as { body?: { msg?: { errorCode?: number } } }).body?.msg?.errorCode;
  }
};

describe('Operating hours', () => {
  // 2026-11-23 is a Monday; Rome is at +1 in winter.
  it('hold from the start of a range up to its end, several of them a day', () => {
    const text = hours({ 1: [range('09:00', '13:00'), range('14:00', '18:00')] });
    const at = ['07:59:59', '08:00', '11:59:59', '12:00', '12:59', '13:00', '16:59', '17:00'];
    expect(at.map((time) => open(text, `2026-11-23T${time}Z`))).to.deep.equal(
      [false, true, true, false, false, true, true, false], //
    );
    expect(open(text, '2026-11-24T08:00Z'), 'another weekday').to.equal(false);
  });

  it('go on after midnight where a range ends before it starts, Sunday night into Monday too', () => {
    const text = hours({ 0: [range('22:00', '02:00')] });
    const at = ['2026-11-22T20:59Z', '2026-11-22T21:00Z', '2026-11-23T00:59Z', '2026-11-23T01:00Z'];
    expect(at.map((time) => open(text, time))).to.deep.equal([false, true, true, false]);
  });

  it('read Sunday under 0 and under 7, and a day to its end at 24:00', () => {
    for (const sunday of [0, 7])
      expect(open(hours({ [sunday]: [range('00:00', '24:00')] }), '2026-11-22T22:59Z')).to.equal(true);
  });

  it('are those of an exception on its date, and closed where it has none', () => {
    const exceptions = [
      { date: '2026-12-24', hours: [range('09:00', '12:00')] },
      { date: '12-25', name: 'Christmas' },
      { date: '2027-12-25', hours: [range('10:00', '11:00')] },
    ];
    const text = hours({ ...every(range('09:00', '18:00')), exceptions });
    const at = [
      '2026-12-24T10:59Z',
      '2026-12-24T11:00Z',
      '2026-12-25T10:00Z',
      '2026-12-26T10:00Z',
      '2027-12-25T09:30Z',
    ];
    expect(at.map((time) => open(text, time))).to.deep.equal([true, false, false, true, true]);
  });

  it('let the night before a holiday end as it began', () => {
    const text = hours({ ...every(range('20:00', '03:00')), exceptions: [{ date: '12-25' }] });
    const at = ['2026-12-25T01:59Z', '2026-12-25T02:00Z', '2026-12-25T20:00Z', '2026-12-26T01:00Z'];
    expect(at.map((time) => open(text, time))).to.deep.equal([true, false, false, false]);
  });

  it('leave out the hour that daylight saving leaves out, and hold twice in the one it repeats', () => {
    const text = hours(every(range('02:00', '03:00')));
    const minutes = (from: string) =>
      [0, 1, 2, 3].map((hour) => open(text, new Date(Date.parse(from) + hour * 3_600_000).toISOString()));
    expect(minutes('2026-03-29T00:00Z')).to.deep.equal([false, false, false, false]);
    expect(minutes('2026-10-24T23:30Z')).to.deep.equal([false, true, true, false]);
  });

  it('know every time zone, and read the clock of an unknown one as UTC', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((zone) => !isZone(zone))).to.deep.equal([]);
    expect(isZone('Mars/Olympus')).to.equal(false);
    expect(wallClock(new Date('2026-11-23T08:05:59Z'), 'Mars/Olympus')).to.deep.equal({
      day: '2026-11-23',
      minute: 485,
    });
  });

  it('tell what is wrong by the number of the contract', () => {
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

  it('do not count where they are off: of the project, of a slot, or without slots', () => {
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

  it('say what keeps a text from being kept', () => {
    expect(faultsOf(hours(every(range('9:00', '24:00'))))).to.deep.equal([]);
    for (const text of ['', '{', 'null', '[]', '{}', hours({}, 'Mars/Olympus'), hours({ 1: [range('9', '10:00')] })])
      expect(faultsOf(text), text).to.have.lengthOf(1);
  });
});

describe('Operating hours against the tz database', () => {
  it('meet the clocks put forward and back in 2026 and 2027 in more than ten zones', () => {
    expect(ZONES.filter((zone) => changesOf(zone).length === 4)).to.have.length.above(10);
  });

  for (const zone of ZONES) it(`are those of ${zone}, in ${CASES} cases`, () => expectAsPainted(zone, CASES));
});
