/** Measures two implementations alternately, so that changes in the speed of the machine affect both equally. */

/** Returns the value below which the given share of the values lies. */
export const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] as number;

const median = (values: number[]): number => percentile(values, 0.5);

/** Medians over the rounds: of both results, of their ratio (ours / bare) and of their difference (ours - bare). */
interface Comparison {
  ours: number;
  bare: number;
  ratio: number;
  difference: number;
}

/** Measures both implementations in each round, after a round that is not counted. */
export const runInterleaved = async (
  rounds: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<Comparison> => {
  const pairs: { ours: number; bare: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = round % 2 ? { ours: await ours(), bare: await bare() } : { bare: await bare(), ours: await ours() };
    if (round > 0) pairs.push(pair);
  }
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    bare: median(pairs.map((pair) => pair.bare)),
    ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
    difference: median(pairs.map((pair) => pair.ours - pair.bare)),
  };
};

/** Prints both rates and their ratio. */
export const printRates = (what: string, { ours, bare, ratio }: Comparison): void =>
  console.log(`      ${what}: ours ${ours.toFixed(0)}, bare ${bare.toFixed(0)} per second, ratio ${ratio.toFixed(2)}`);
