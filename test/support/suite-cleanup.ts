/** Clean-up after the last test of this process. */
const cleanups: (() => Promise<unknown>)[] = [];

/** Registers a clean-up; the last registered clean-up runs first. */
export const onSuiteEnd = (close: () => Promise<unknown>): void => void cleanups.unshift(close);

/** Runs every clean-up, one after the other. */
export const runCleanups = async (): Promise<void> => {
  for (const close of cleanups.splice(0)) await close();
};
