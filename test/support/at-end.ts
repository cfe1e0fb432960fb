/** What must be closed when the tests of this process are over. */
const closers: (() => Promise<unknown>)[] = [];

/** Close this at the end; the last one opened is the first one closed. */
export const atEnd = (close: () => Promise<unknown>): void => void closers.unshift(close);

/** Close everything, in turn. */
export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0)) await close();
};
