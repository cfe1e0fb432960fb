const MAX_SAMPLES = 1000;

/** Collects the lag of the latest events: milliseconds from commit to append. */
export const createLagStats = () => {
  let latest: number[] = [];
  let events = 0;
  return {
    add: (lags: number[]): void => {
      events += lags.length;
      latest = [...latest, ...lags].slice(-MAX_SAMPLES);
    },
    summary: () => {
      const sorted = latest.toSorted((a, b) => a - b);
      const quantile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      return { events, p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) };
    },
  };
};
