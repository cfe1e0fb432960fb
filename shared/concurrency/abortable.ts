/**
 * Resolves with the result of `work`, or rejects with the signal's reason if the signal aborts first. The work itself
 * continues.
 */
export const abortable = <T>(work: Promise<T>, signal: AbortSignal | undefined) =>
  new Promise<T>((resolve, reject) => {
    const rejectAborted = () => reject(signal?.reason);
    signal?.addEventListener('abort', rejectAborted, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', rejectAborted));
    if (signal?.aborted) rejectAborted();
  });
