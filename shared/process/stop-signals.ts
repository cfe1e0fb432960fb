/**
 * Signals within this time are treated as one, because a signal to the process group reaches this process twice:
 * directly and through its parent.
 */
const DUPLICATE_SIGNAL_MS = 1000;

/**
 * Calls `stop` once, on the first stop signal or when the parent process ends. A second signal more than one second
 * later ends the process immediately.
 */
export const onStop = (stop: (reason: string) => unknown): void => {
  let stoppedAt: number | undefined;
  const handleSignal = (reason: string): void => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop(reason);
    } else if (performance.now() - stoppedAt > DUPLICATE_SIGNAL_MS) process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => handleSignal(signal));
  process.once('disconnect', () => handleSignal('disconnect'));
  // `send` exists if the parent opened an IPC channel. The parent may have ended before the listener was added.
  if (process.send && !process.connected) handleSignal('disconnect');
};
