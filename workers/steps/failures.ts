/** What a failure means for the content: give up with a reason, try again later, or wait for a turn. */
import { isOutage } from '#shared/ai.ts';
import type { Failure } from '#shared/domain/knowledge/attempts.ts';
import { AppError } from '#shared/errors.ts';
import { FetchError } from '#shared/fetch.ts';
import { IndexDown, IndexLost } from '#shared/vectors/index.ts';

/** `page`: its own fault. `passing`: the site's, may pass. `outage`: ours, will pass. `busy`: not even tried. */
export interface JudgedFailure extends Failure {
  kind: 'page' | 'passing' | 'outage' | 'busy' | 'unforeseen';
  afterMs: number;
}

const TRIES = { page: 1, passing: 4, unforeseen: 4, outage: Number.POSITIVE_INFINITY, busy: Number.POSITIVE_INFINITY };
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 300_000;
const BUSY_MS = 250;
const NOT_TRIED = new Set(['HOST_BUSY', 'HOST_PAUSED']);

const named = (error: AppError): Failure => ({
  code: error.code,
  message: error.message,
  hint: error.body.hint as string | undefined,
});

/** A part of this system is away: no fault of the page. */
const isOurs = (error: AppError): boolean =>
  isOutage(error) || error instanceof IndexDown || error instanceof IndexLost;

/** Judge what was thrown while a content was indexed. */
export const failureOf = (error: unknown): JudgedFailure => {
  if (error instanceof FetchError) {
    const afterMs = error.retryAfterMs ?? 0;
    if (NOT_TRIED.has(error.code)) return { ...named(error), kind: 'busy', afterMs: afterMs || BUSY_MS };
    return { ...named(error), kind: error.transient ? 'passing' : 'page', afterMs };
  }
  if (error instanceof AppError) return { ...named(error), kind: isOurs(error) ? 'outage' : 'page', afterMs: 0 };
  return {
    code: 'INTERNAL',
    message: 'Indexing broke off',
    hint: 'The log has the details.',
    kind: 'unforeseen',
    afterMs: 0,
  };
};

/** When to try again: later each time, spread by chance; never for the page's own fault or after the last try. */
export const retryAt = ({ kind, afterMs }: JudgedFailure, failures: number): Date | undefined => {
  if (failures + 1 >= TRIES[kind]) return undefined;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
  return new Date(Date.now() + Math.max(afterMs, wait * (0.5 + Math.random())));
};
