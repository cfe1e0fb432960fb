/** Compares the durations of common calls in a large project with those in a small one. */
import { expect } from 'chai';
import { aLargeProject, expectIndexedAndCounted } from './large-project.ts';

const SMALL_PROJECT_CONVERSATIONS = 1000;
const ROUNDS = 21;
const MAX_SLOWDOWN = 3;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const timeOf = async (call: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await call();
  return performance.now() - start;
};

/**
 * Fills a large project with `requests` conversations, and a small one with 1,000. Measures the same calls in both
 * projects alternately, so that the load of the machine affects both equally. Fails if a call takes more than three
 * times as long in the large project.
 */
export const compareSizes = async (requests: number): Promise<void> => {
  const small = await aLargeProject(SMALL_PROJECT_CONVERSATIONS);
  const start = performance.now();
  const large = await aLargeProject(requests);
  console.log(`      ${requests} conversations created in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  await expectIndexedAndCounted(large);
  for (const name of Object.keys(large.calls) as (keyof typeof large.calls)[]) {
    const pairs: { few: number; many: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const [few, many] = [await timeOf(small.calls[name]), await timeOf(large.calls[name])];
      if (round) pairs.push({ few, many });
    }
    const [few, many] = [median(pairs.map((pair) => pair.few)), median(pairs.map((pair) => pair.many))];
    console.log(
      `      ${name}: ${few.toFixed(1)} ms with ${SMALL_PROJECT_CONVERSATIONS} conversations, ${many.toFixed(1)} ms with ${requests}`,
    );
    expect(many / few, name).to.be.at.most(MAX_SLOWDOWN);
  }
};
