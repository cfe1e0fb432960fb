/** Counts the turns of the event loop during some work: few turns mean that the work blocks it. */
export const countLoopTurns = async <T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> => {
  let turns = 0;
  let going = true;
  const countTurn = (): void => {
    turns += 1;
    if (going) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  try {
    const result = await work();
    return { turns, result };
  } finally {
    going = false;
  }
};
