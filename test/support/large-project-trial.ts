/** How much longer the usual calls take in a large project than in a small one. */
import { expect } from 'chai';
import { aProjectOf, expectRight } from './large-project.ts';

const SMALL = 1000;
const ROUNDS = 21;
const MOST_TIMES = 3;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const timed = async (call: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await call();
  return performance.now() - start;
};

/** Fill two projects and hold them against each other, in turn and so on one machine at one time. */
export const compareSizes = async (requests: number): Promise<void> => {
  const small = await aProjectOf(SMALL);
  const start = performance.now();
  const large = await aProjectOf(requests);
  console.log(`      ${requests} conversations in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  await expectRight(large);
  for (const name of Object.keys(large.calls) as (keyof typeof large.calls)[]) {
    const pairs: { few: number; many: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const [few, many] = [await timed(small.calls[name]), await timed(large.calls[name])];
      if (round) pairs.push({ few, many });
    }
    const [few, many] = [median(pairs.map((pair) => pair.few)), median(pairs.map((pair) => pair.many))];
    console.log(`      ${name}: ${few.toFixed(1)} ms of ${SMALL}, ${many.toFixed(1)} ms of ${requests}`);
    expect(many / few, name).to.be.at.most(MOST_TIMES);
  }
};
