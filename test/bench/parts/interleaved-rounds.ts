/** Measures two implementations alternately, so that changes in the speed of the machine affect both equally. */

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Returns the median rates of both implementations, and the median ratio (ours divided by bare) of the rounds. */
export const runInterleaved = async (rounds: number, ours: () => Promise<number>, bare: () => Promise<number>) => {
  const pairs: { ours: number; bare: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = round % 2 ? { ours: await ours(), bare: await bare() } : { bare: await bare(), ours: await ours() };
    if (round > 0) pairs.push(pair);
  }
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    bare: median(pairs.map((pair) => pair.bare)),
    ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
  };
};

/** Prints both rates and their ratio. */
export const printRates = (what: string, { ours, bare, ratio }: { ours: number; bare: number; ratio: number }): void =>
  console.log(`      ${what}: ours ${ours.toFixed(0)}, bare ${bare.toFixed(0)} per second, ratio ${ratio.toFixed(2)}`);
