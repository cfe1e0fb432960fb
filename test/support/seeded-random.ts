/**
 * Random numbers for tests. When a test that used them fails, the seed is printed; with this seed in `TEST_SEED` the
 * same numbers are drawn again.
 */
import { seededRandom } from '../../scripts/seed/seeded-random.ts';

const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
const draw = seededRandom(seed);
let isUsed = false;

/** A number from 0 to below 1. */
export const random = (): number => {
  isUsed = true;
  return draw();
};

/** Prints the seed if random numbers were drawn. */
export const printSeed = (): void => {
  if (isUsed) console.log(`      random numbers: TEST_SEED=${seed}`);
};
