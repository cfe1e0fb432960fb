/** A19 is an attack described in docs/attacks.md. */
import { expectOneOwnerStays, expectOneOwnerWins } from '../support/concurrent-owner-trials.ts';

const PAIR_COUNT = 200;
const OWNER_COUNT = 20;

describe('Concurrent removal of owners', () => {
  it(`A19: two owners who demote, disable or remove each other leave one owner, in ${PAIR_COUNT} pairs`, () =>
    expectOneOwnerWins(PAIR_COUNT)).timeout(300_000);

  it(`${OWNER_COUNT} owners who demote themselves concurrently leave one owner`, () =>
    expectOneOwnerStays(OWNER_COUNT)).timeout(60_000);
});
