import { mock } from 'node:test';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { currentTimeMs, type setClock } from '#shared/time/clock.ts';

const HOUR_MS = 3_600_000;
/** Longer than a test takes; the clock moves on during the test. */
const TOLERANCE_MS = 10_000;
const DATABASE_TIME_MS = Date.UTC(2026, 0, 2);

let copies = 0;

interface Clock {
  setClock: typeof setClock;
  currentTimeMs: () => number;
}

/** A separate copy of the module `clock.ts`; only the test sets its clock. */
const aClock = async (): Promise<Clock> => {
  copies += 1;
  return (await import(new URL(`../../shared/time/clock.ts?copy=${copies}`, import.meta.url).href)) as Clock;
};

describe('Clock', () => {
  it('currentTimeMs follows the clock of MongoDB from the start of the connection', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + HOUR_MS });
    const ahead = currentTimeMs();
    mock.timers.reset();
    const { localTime } = await mongoose.connection.getClient().db('admin').command({ hello: 1 });
    expect(ahead).to.be.closeTo(localTime.getTime(), TOLERANCE_MS);
  });

  it('currentTimeMs follows the clock of the host until setClock is called', async () => {
    const clock = await aClock();
    expect(clock.currentTimeMs()).to.be.closeTo(Date.now(), TOLERANCE_MS);
  });

  it('currentTimeMs is not set back by readings of the clock of MongoDB that are received late', async () => {
    const clock = await aClock();
    clock.setClock(new Date(DATABASE_TIME_MS));
    for (const latenessMs of [900, 30_000, 5000, 0, 30_000, 2000]) {
      clock.setClock(new Date(DATABASE_TIME_MS - latenessMs));
      expect(clock.currentTimeMs()).to.be.at.least(DATABASE_TIME_MS);
    }
  });

  it('currentTimeMs follows a change of the clock of MongoDB: immediately if the clock is set ahead, and after five readings if it is set back', async () => {
    const clock = await aClock();
    clock.setClock(new Date(DATABASE_TIME_MS));
    clock.setClock(new Date(DATABASE_TIME_MS + HOUR_MS));
    expect(clock.currentTimeMs()).to.be.closeTo(DATABASE_TIME_MS + HOUR_MS, TOLERANCE_MS);
    for (let readings = 1; readings < 5; readings += 1) clock.setClock(new Date(DATABASE_TIME_MS));
    expect(clock.currentTimeMs()).to.be.closeTo(DATABASE_TIME_MS + HOUR_MS, TOLERANCE_MS);
    clock.setClock(new Date(DATABASE_TIME_MS));
    expect(clock.currentTimeMs()).to.be.closeTo(DATABASE_TIME_MS, TOLERANCE_MS);
  });
});
