/**
 * Our own retry loop. The client's sleeps a whole Retry-After, uncapped and deaf to abort; this one makes at most
 * three calls within one deadline, waits no longer than the cap, and stops at once when the signal ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, failureOf } from './failure.ts';

const MAX_CALLS = 3;
const FIRST_WAIT = 0.5;

/** Seconds until the call after this one: what the provider asks for, or a jittered backoff, never above the cap. */
export const waitAfter = (call: number, { retryAfter }: Pick<Failure, 'retryAfter'>, cap: number) =>
  Math.min(cap, retryAfter ?? FIRST_WAIT * 2 ** (call - 1) * (0.5 + Math.random()));

const pause = async (seconds: number, signal: AbortSignal) => {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
};

/** Make a call, again where the failure is a passing one; `maxWait` is in seconds. */
export const persist = async <T>(
  call: () => Promise<T>,
  { signal, maxWait }: { signal: AbortSignal; maxWait: number },
) => {
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(error);
      if (!failure.passing || number === MAX_CALLS) throw failure.error;
      await pause(waitAfter(number, failure, maxWait), signal);
    }
  }
};
