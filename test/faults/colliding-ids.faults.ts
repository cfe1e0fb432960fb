import { underCollisions } from '../support/collision-trials.ts';

describe('A request_id that two projects choose, at length', () => {
  it('is a conversation of each, a thousand times, a hundred of them at once, and none is crossed (A20)', () =>
    underCollisions(1000)).timeout(300_000);
});
