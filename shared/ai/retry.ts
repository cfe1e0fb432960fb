/**
 * Retries of provider calls: at most three attempts within the deadline of the call. The client library's own retries
 * are not used, because they obey a `Retry-After` of any length and ignore an abort.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../time/backoff.ts';
import { type ProviderFailure, toProviderFailure } from './provider-errors.ts';

const MAX_ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;

/**
 * Returns the number of seconds to wait after the failed call `callNumber` (the first is 1): the time that the provider
 * requests or, by default, a backoff with jitter. The result is at most `maxSeconds`.
 */
export const retryDelaySeconds = (
  callNumber: number,
  { retryAfterSeconds }: Pick<ProviderFailure, 'retryAfterSeconds'>,
  maxSeconds: number,
) => Math.min(maxSeconds, retryAfterSeconds ?? backoffMs(callNumber, { baseMs: FIRST_WAIT_MS }) / 1000);

const pause = async (seconds: number, signal: AbortSignal) => {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
};

/** Makes a call and retries it after transient failures. Throws the last failure, or the signal's abort reason. */
export const withRetry = async <T>(
  call: () => Promise<T>,
  { signal, maxWaitSeconds }: { signal: AbortSignal; maxWaitSeconds: number },
) => {
  for (let callNumber = 1; ; callNumber += 1) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const failure = toProviderFailure(error);
      if (!failure.transient || callNumber === MAX_ATTEMPTS) throw failure.error;
      await pause(retryDelaySeconds(callNumber, failure, maxWaitSeconds), signal);
    }
  }
};
