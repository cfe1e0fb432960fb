/** Classifies the failure of an indexing attempt, and determines the time of the next attempt. */
import { isOutage } from '#shared/ai/chat-model.ts';
import { isUnavailable } from '#shared/database/unavailable.ts';
import type { IndexingFailure } from '#shared/domain/knowledge/indexing/attempt-failures.ts';
import { AppError } from '#shared/errors.ts';
import { FetchError } from '#shared/fetch/guarded-fetch.ts';
import { backoffMs } from '#shared/time/backoff.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { IndexMissingError, IndexUnavailableError } from '#shared/vectors/index.ts';

/**
 * `page`: the page itself is at fault, or the AI provider refuses the request or answers it in an unusable form.
 * `transient`: the site failed and may recover. `outage`: a part of this system is unavailable. `busy`: the host is
 * busy or paused, so no request to it was permitted. `unexpected`: a bug.
 */
export interface ClassifiedFailure extends IndexingFailure {
  kind: 'page' | 'transient' | 'outage' | 'busy' | 'unexpected';
  retryAfterMs: number;
}

/** Maximum number of attempts by kind of failure. `busy` is absent, because it does not count as a failed attempt. */
const MAX_ATTEMPTS = { page: 1, transient: 4, unexpected: 4, outage: Number.POSITIVE_INFINITY };
const FIRST_WAIT_MS = 2000;
const MAX_WAIT_MS = 300_000;
const BUSY_WAIT_MS = 250;
const NO_PERMIT_CODES = new Set(['HOST_BUSY', 'HOST_PAUSED']);

const failureFields = (error: AppError): IndexingFailure => ({
  code: error.code,
  message: error.message,
  hint: error.body.hint as string | undefined,
});

/**
 * Whether the model or the chunk index is unavailable, or the daily AI tokens are used up. The page is not at fault
 * then.
 */
const isSystemOutage = (error: AppError): boolean =>
  isOutage(error) ||
  error.code === 'AI_TOKEN_BUDGET_EXHAUSTED' ||
  error instanceof IndexUnavailableError ||
  error instanceof IndexMissingError;

/**
 * Returns the milliseconds to wait before a retry, for example until the next day if the daily AI tokens are used up.
 */
const waitOf = ({ body: { retry_after } }: AppError): number => Number(retry_after ?? 0) * 1000;

/** MongoDB or Redis did not answer. Every page fails in this case, so the page is not at fault. */
const DATABASE_OUTAGE: ClassifiedFailure = {
  code: 'UNAVAILABLE',
  message: 'A service of this system was unavailable.',
  hint: 'The content will be indexed when the service is available again.',
  kind: 'outage',
  retryAfterMs: 0,
};

const classifyFetchError = ({ code, transient, retryAfterMs = 0 }: FetchError) =>
  NO_PERMIT_CODES.has(code)
    ? ({ kind: 'busy', retryAfterMs: retryAfterMs || BUSY_WAIT_MS } as const)
    : ({ kind: transient ? 'transient' : 'page', retryAfterMs } as const);

/** Classifies an error that was thrown while a content was being indexed. */
export const classifyFailure = (error: unknown): ClassifiedFailure => {
  if (error instanceof FetchError) return { ...failureFields(error), ...classifyFetchError(error) };
  if (error instanceof AppError && error.cause instanceof FetchError)
    return { ...failureFields(error), hint: error.cause.hint, ...classifyFetchError(error.cause) };
  if (error instanceof AppError)
    return { ...failureFields(error), kind: isSystemOutage(error) ? 'outage' : 'page', retryAfterMs: waitOf(error) };
  if (isUnavailable(error)) return DATABASE_OUTAGE;
  return {
    code: 'INTERNAL',
    message: 'Indexing failed unexpectedly',
    hint: 'See the log of the workers for details.',
    kind: 'unexpected',
    retryAfterMs: 0,
  };
};

/**
 * The time of the next attempt, with exponential backoff and jitter; undefined after the last attempt.
 * `earlierFailures` is the content's counter for this kind: `outages` for an outage, `failures` for every other kind.
 */
export const nextAttemptTime = (
  { kind, retryAfterMs }: { kind: keyof typeof MAX_ATTEMPTS; retryAfterMs: number },
  earlierFailures: number,
): Date | undefined => {
  const failures = earlierFailures + 1;
  if (failures >= MAX_ATTEMPTS[kind]) return undefined;
  const wait = backoffMs(failures, { baseMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS });
  return new Date(currentTimeMs() + Math.max(retryAfterMs, wait));
};
