/** Clean-up after the last test of this process, or of a group of test files that share API processes or a browser. */
const cleanups: (() => Promise<unknown>)[] = [];
const groupCleanups: (() => Promise<unknown>)[] = [];

/** Registers a clean-up; the last registered clean-up runs first. */
export const onSuiteEnd = (close: () => Promise<unknown>): void => void cleanups.unshift(close);

/** Registers a clean-up that runs after the last file of the current group, or at the end of the suite. */
export const onGroupEnd = (close: () => Promise<unknown>): void => void groupCleanups.unshift(close);

/** Runs the clean-ups of the current group. */
export const runGroupCleanups = async (): Promise<void> => {
  for (const close of groupCleanups.splice(0)) await close();
};

/** Runs every clean-up, one after the other. */
export const runCleanups = async (): Promise<void> => {
  await runGroupCleanups();
  for (const close of cleanups.splice(0)) await close();
};
