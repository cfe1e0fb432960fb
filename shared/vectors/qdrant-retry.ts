/** Retries of calls to the Qdrant server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../time/backoff.ts';
import { IndexUnavailableError } from './chunk-index.ts';

const FIRST_WAIT_MS = 200;
/** A call that fails more than this long after its first attempt began is not repeated, to avoid a second timeout. */
const LAST_ATTEMPT_AFTER_MS = 5000;

/** Returns the HTTP status of an error; undefined if the server did not answer. */
export const httpStatus = (error: unknown): number | undefined =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined;

/**
 * Returns whether the server refused to create something because it already exists. The server returns 409, or 400 with
 * a text that says so.
 */
export const isExistingError = (error: unknown): boolean => {
  const status = httpStatus(error);
  const { data } = error as { data?: unknown };
  return status === 409 || (status === 400 && /already exists/i.test(JSON.stringify(data ?? '')));
};

const isTransient = (status: number | undefined) => status === undefined || status === 429 || status >= 500;

/**
 * Makes a call. While the server is unreachable or returns 429 or 5xx, repeats the call for about five seconds, up to
 * `maxAttempts` attempts in all, then throws `IndexUnavailableError`. Rethrows any other error immediately.
 */
export async function withRetry<T>(maxAttempts: number, call: () => Promise<T>): Promise<T> {
  const lastStart = performance.now() + LAST_ATTEMPT_AFTER_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(httpStatus(error))) throw error;
      if (attempt >= maxAttempts || performance.now() > lastStart) throw new IndexUnavailableError({ cause: error });
      await sleep(backoffMs(attempt, { baseMs: FIRST_WAIT_MS }));
    }
  }
}
