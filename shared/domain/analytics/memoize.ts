/** Returns a function that calls `compute` once per number and caches its results. */
export const memoize = <T>(compute: (key: number) => T): ((key: number) => T) => {
  const results = new Map<number, T>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
};
