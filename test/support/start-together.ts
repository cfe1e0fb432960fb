type Tasks = Record<string, () => Promise<unknown>>;

/**
 * Starts all tasks and returns their promises by name. A test that awaits the promise of a failed task fails with the
 * task's error; the error of a task that no test awaits is ignored.
 */
export const startTogether = <T extends Tasks>(tasks: T): { [Name in keyof T]: ReturnType<T[Name]> } => {
  const started = Object.entries(tasks).map(([name, start]) => {
    const promise = start();
    promise.catch(() => undefined); // otherwise, Node.js would report an unhandled error before a test awaits the task
    return [name, promise];
  });
  return Object.fromEntries(started);
};
