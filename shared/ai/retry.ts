/**
 * Retries of provider calls: at most three calls within one deadline. The client's own retries wait for any Retry-After
 * and ignore an abort; this loop limits the wait and stops when the signal aborts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../time/backoff.ts';
import { type ProviderFailure, toProviderFailure } from './provider-errors.ts';

const MAX_CALLS = 3;
const FIRST_WAIT_MS = 500;

/**
 * Returns the seconds to wait after a failed call: what the provider asks for, or a backoff with jitter, at most `cap`.
 */
export const retryDelaySeconds = (
  call: number,
  { retryAfterSeconds }: Pick<ProviderFailure, 'retryAfterSeconds'>,
  cap: number,
) => Math.min(cap, retryAfterSeconds ?? backoffMs(call, { baseMs: FIRST_WAIT_MS }) / 1000);

const pause = async (seconds: number, signal: AbortSignal) => {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
};

/** Makes a call and retries it after transient failures; `maxWait` is in seconds. */
export const withRetry = async <T>(
  call: () => Promise<T>,
  { signal, maxWait }: { signal: AbortSignal; maxWait: number },
) => {
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const failure = toProviderFailure(error);
      if (!failure.transient || number === MAX_CALLS) throw failure.error;
      await pause(retryDelaySeconds(number, failure, maxWait), signal);
    }
  }
};
