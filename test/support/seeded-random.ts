/**
 * Random numbers for tests. When a test that used them fails, the seed is printed; with this seed in `TEST_SEED` the
 * same numbers are drawn again.
 */
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
let state = seed;
let isUsed = false;

/** A number from 0 to below 1 (generator: mulberry32). */
export const random = (): number => {
  isUsed = true;
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), state | 1);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
};

/** Prints the seed if random numbers were drawn. */
export const printSeed = (): void => {
  if (isUsed) console.log(`      random numbers: TEST_SEED=${seed}`);
};
