const KEPT = 1000;

/** Milliseconds from commit to log, of the latest events. */
export const aRecord = () => {
  let latest: number[] = [];
  let events = 0;
  return {
    add: (lags: number[]): void => {
      events += lags.length;
      latest = [...latest, ...lags].slice(-KEPT);
    },
    summary: () => {
      const sorted = latest.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      return { events, p50: at(0.5), p99: at(0.99), most: at(1) };
    },
  };
};
