/** A signal for one call of a provider, and the ways to end it. */
export interface Deadline extends Disposable {
  signal: AbortSignal;
  /** End the call now for this reason. */
  cut(reason: unknown): void;
}

/** A signal that ends when the caller leaves, or after some seconds with the given reason; dispose it when the call is over. */
export const deadline = (seconds: number, reason: () => unknown, caller?: AbortSignal): Deadline => {
  const controller = new AbortController();
  const cut = (why: unknown) => controller.abort(why);
  const leave = () => cut(caller?.reason);
  const timer = setTimeout(() => cut(reason()), seconds * 1000);
  caller?.addEventListener('abort', leave, { once: true });
  if (caller?.aborted) leave();
  return {
    signal: controller.signal,
    cut,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', leave);
    },
  };
};
