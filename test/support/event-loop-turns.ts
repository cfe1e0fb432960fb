/** Counts the turns of the event loop during some work: few turns mean that the work blocks it. */
export const countLoopTurns = async <T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> => {
  let turns = 0;
  let isRunning = true;
  const countTurn = (): void => {
    turns += 1;
    if (isRunning) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  try {
    const result = await work();
    return { turns, result };
  } finally {
    isRunning = false;
  }
};
