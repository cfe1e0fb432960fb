/** How often the event loop of this process turns while some work goes on: whoever blocks it lets it turn a few times only. */
export const turnsDuring = async <T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> => {
  let turns = 0;
  let going = true;
  const count = (): void => {
    turns += 1;
    if (going) setImmediate(count);
  };
  setImmediate(count);
  try {
    const result = await work();
    return { turns, result };
  } finally {
    going = false;
  }
};
