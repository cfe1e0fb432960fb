/** A20 is an attack described in docs/attacks.md. */
import { expectSeparateUnderCollisions } from '../support/collision-trials.ts';

describe('The same request_id in two projects', () => {
  it('A20: two projects that use the same request_id have separate conversations, in a thousand concurrent trials', () =>
    expectSeparateUnderCollisions(1000, 100)).timeout(300_000);
});
