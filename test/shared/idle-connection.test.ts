import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';

/** The driver's heartbeats start at most this number of timers per second. */
const MAX_TIMERS = 4;

describe('An idle connection to MongoDB', () => {
  it('starts timers only for the heartbeats of the driver, and none to look for missing or expired connections', async () => {
    const child = fork(new URL('../support/idle-connection-process.ts', import.meta.url));
    const [timers] = (await once(child, 'message')) as [number];
    expect(timers).to.be.at.most(MAX_TIMERS);
  });
});
