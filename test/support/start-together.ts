type Tasks = Record<string, () => Promise<unknown>>;

/**
 * Starts all tasks and returns their promises by name. A test that awaits one of them fails with its error; an error
 * that no test awaits is ignored.
 */
export const startTogether = <T extends Tasks>(tasks: T): { [Name in keyof T]: ReturnType<T[Name]> } => {
  const started = Object.entries(tasks).map(([name, start]) => {
    const promise = start();
    promise.catch(() => undefined); // otherwise, Node.js reports the error before the test of this task begins
    return [name, promise];
  });
  return Object.fromEntries(started);
};
