/**
 * Resolves with the result of `work`, or rejects with the reason of the signal if that is aborted first. The work
 * itself continues.
 */
export const abortable = <T>(work: Promise<T>, signal: AbortSignal | undefined) =>
  new Promise<T>((resolve, reject) => {
    const rejectAborted = () => reject(signal?.reason);
    signal?.addEventListener('abort', rejectAborted, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', rejectAborted));
    if (signal?.aborted) rejectAborted();
  });
