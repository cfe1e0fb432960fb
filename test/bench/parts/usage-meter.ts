/** Measures what processes use during the rounds of a comparison. */
import { formatUsage, residentMb, type Totals, type Usage, usageDuring } from './usage.ts';

/** Creates a meter for the processes with these ids, and for mongod. */
export const usageMeter = (pids: Totals) => {
  const usages: Usage[] = [];
  return {
    /** Runs a round and returns its result. */
    measure: async <T>(round: () => Promise<T>): Promise<T> => {
      let result: T | undefined;
      usages.push(
        await usageDuring(pids, async () => {
          result = await round();
        }),
      );
      return result as T;
    },
    /** Describes what each of `count` operations in all rounds used, and the memory of the processes. */
    describe: (count: number): string => `${formatUsage(usages, count)}; ${residentMb(pids)}`,
    lastRound: () => usages.at(-1) as Usage,
  };
};
