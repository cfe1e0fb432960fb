/** Within this time two signals are one: a signal to a process group arrives by itself and from the process above. */
const ONE_SIGNAL_MS = 1000;

/**
 * Calls `stop` once when this process is told to stop: by a signal, or by the end of the process that started it.
 * A signal that comes more than a second later ends the process at once.
 */
export const onStop = (stop: (reason: string) => unknown): void => {
  let since: number | undefined;
  const hear = (reason: string): void => {
    if (since === undefined) {
      since = performance.now();
      stop(reason);
    } else if (performance.now() - since > ONE_SIGNAL_MS) process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => hear(signal));
  process.once('disconnect', () => hear('disconnect'));
  // Undefined where no process above holds a channel to this one.
  if (!process.connected) hear('disconnect');
};
