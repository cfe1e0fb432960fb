/** A19 is an attack described in docs/attacks.md. */
import { expectOneOwnerStays, expectOneOwnerWins } from '../support/concurrent-owner-trials.ts';

const PAIR_COUNT = 20;
const OWNER_COUNT = 5;

describe('Concurrent removal of project owners', () => {
  it(`A19: one owner remains when two owners demote, disable or remove each other at the same time (${PAIR_COUNT} pairs)`, () =>
    expectOneOwnerWins(PAIR_COUNT));

  it(`one owner remains when ${OWNER_COUNT} owners demote themselves at the same time`, () =>
    expectOneOwnerStays(OWNER_COUNT));
});
