/** Prints the durations of the phases of a long test. */
const log = (text: string): void => console.log(`      ${text}`);

/** Runs `work` and prints its result and its duration. */
export const printDuration = async (work: () => Promise<string>): Promise<void> => {
  const start = performance.now();
  const result = await work();
  log(`${result} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
};
