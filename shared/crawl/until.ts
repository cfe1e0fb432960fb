/** Waits for work that cannot be stopped, no longer than the signal; then throws its reason. */
export const until = <T>(work: Promise<T>, signal: AbortSignal | undefined) =>
  new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop));
    if (signal?.aborted) stop();
  });
