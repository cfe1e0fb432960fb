/**
 * Random numbers for tests. When a test fails after any were drawn, the seed is printed. With this seed in `TEST_SEED`,
 * the same numbers are drawn again.
 */
import { seededRandom } from '../../scripts/seed/seeded-random.ts';

const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
const draw = seededRandom(seed);
let isUsed = false;

/** Returns a number that is at least 0 and below 1. */
export const random = (): number => {
  isUsed = true;
  return draw();
};

/** Prints the seed if random numbers were drawn. */
export const printSeed = (): void => {
  if (isUsed) console.log(`      random numbers: TEST_SEED=${seed}`);
};
