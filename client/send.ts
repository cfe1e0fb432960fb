/** Sends a call, and repeats it while the network or the server fails temporarily. */
import { ApiError } from './api-error.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
const TEMPORARY = new Set([429, 502, 503, 504]);
/** The temporary failures with which a server refuses a call. */
const REFUSED = new Set([429, 503]);

export interface SendOptions {
  fetch: typeof fetch;
  /** The maximum number of times that a call is repeated. */
  retries: number;
  /** Time after which an attempt is aborted, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Waits, unless the signal is aborted first. Throws the signal's abort reason. */
const delay = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });

/**
 * Returns the delay before the next attempt in milliseconds: the value of `Retry-After` or, without it, a random value
 * between half and all of an exponentially growing delay, so that clients do not all repeat calls at the same time.
 */
const delayMs = (attempt: number, response?: Response): number => {
  const retryAfter = Number(response?.headers.get('retry-after'));
  if (retryAfter > 0) return retryAfter * 1000;
  return Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
};

const attemptCall = async (url: URL, init: RequestInit, options: SendOptions): Promise<Response | TypeError> => {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  try {
    return await options.fetch(url, { ...init, signal });
  } catch (error) {
    options.signal?.throwIfAborted();
    // `fetch` throws a TypeError if the server cannot be reached.
    if (error instanceof TypeError) return error;
    if (timeout.aborted) return new TypeError(`no answer within ${options.timeoutMs} ms`);
    throw error;
  }
};

/**
 * Whether the call may be repeated after a temporary failure. If the server has processed a POST without an
 * `Idempotency-Key`, a repetition would take effect as well, so such a POST is repeated only after 429 or 503 with
 * `Retry-After`, with which the server refuses a call or reports that a database is unavailable.
 */
const mayRepeat = ({ method, headers }: RequestInit, response?: Response): boolean =>
  method !== 'POST' ||
  new Headers(headers).has('idempotency-key') ||
  (REFUSED.has(response?.status ?? 0) && response?.headers.has('retry-after') === true);

const errorOf = async (response: Response): Promise<ApiError> =>
  new ApiError(response, (await response.json().catch(() => ({}))) as object);

/** Returns the response of a successful call. Throws an `ApiError`, or a `TypeError` if the server is unreachable. */
export const send = async (url: URL, init: RequestInit, options: SendOptions): Promise<Response> => {
  for (let attempt = 0; ; attempt++) {
    const result = await attemptCall(url, init, options);
    const response = result instanceof TypeError ? undefined : result;
    if (response?.ok) return response;
    const isTemporary = !response || TEMPORARY.has(response.status);
    if (!isTemporary || attempt >= options.retries || !mayRepeat(init, response))
      throw result instanceof TypeError ? result : await errorOf(result);
    await response?.body?.cancel();
    await delay(delayMs(attempt, response), options.signal);
  }
};
