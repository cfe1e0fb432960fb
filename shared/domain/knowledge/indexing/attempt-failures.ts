/** Ends attempts that failed, that must wait for the host of a page, or whose worker is shutting down. */
import { emits } from '../../../events.ts';
import { CONTENT_STATUS, KbContent } from '../../../models/kb-content.ts';
import { currentTime } from '../../../time/clock.ts';
import { pushEnded } from './attempt-timeline.ts';
import { type Attempt, attemptFilter, requeueUpdate } from './attempts.ts';

const WORKER_STOPPED = {
  code: 'WORKER_STOPPED',
  message: 'The worker was stopped while it was indexing this content.',
  hint: 'Another worker will index the content.',
};

/** Requeues a partly indexed content because the worker is shutting down: its status becomes `queued`. */
export const abortAttempt = async (attempt: Attempt): Promise<void> => {
  const $push = pushEnded(attempt, 'aborted', WORKER_STOPPED);
  await KbContent.updateOne(attemptFilter(attempt), { ...requeueUpdate({ hasStaleChunks: true }), $push });
};

/** Why an attempt failed, or why its content must wait. */
export interface IndexingFailure {
  code: string;
  message: string;
  hint?: string;
}

const waitingField = ({ code, message, hint }: IndexingFailure, next_attempt_at: Date) => ({
  waiting: { code, message, hint, next_attempt_at },
});

/**
 * Requeues the content, which becomes due at `due`. Must be called only if the attempt has stored no chunks. Emits
 * an event only if requests to the host are paused, because other waits are short.
 */
export const requeueAttempt = async (attempt: Attempt, failure: IndexingFailure, due: Date): Promise<void> => {
  await KbContent.updateOne(
    attemptFilter(attempt),
    { ...requeueUpdate({ nextAttemptAt: due, ...waitingField(failure, due) }), $pull: { attemptIds: attempt.id } },
    failure.code === 'HOST_PAUSED' ? emits('kb.content.waiting') : {},
  );
};

/** A failure that is counted: `counter` is the field of the content that counts the failures of its kind. */
interface CountedFailure extends IndexingFailure {
  counter: 'failures' | 'outages';
}

/** Records a failure. The status becomes `failed`, or `queued` if another attempt follows at `nextAttemptAt`. */
export const failAttempt = async (attempt: Attempt, failure: CountedFailure, nextAttemptAt?: Date): Promise<void> => {
  const { code, message, hint, counter } = failure;
  const error = { code, message, hint, attempt: attempt.failures + attempt.outages + 1, at: currentTime() };
  const next = nextAttemptAt
    ? { status: CONTENT_STATUS.queued, nextAttemptAt, ...waitingField(failure, nextAttemptAt) }
    : { status: CONTENT_STATUS.failed };
  const change = {
    $inc: { [counter]: 1 },
    $set: { ...next, error, hasStaleChunks: true, last_refresh: currentTime() },
    $unset: { attemptId: 1, leaseUntil: 1 },
    $push: pushEnded(attempt, nextAttemptAt ? 'retry' : 'failed', {
      ...{ code, message, hint },
      next_attempt_at: nextAttemptAt,
    }),
  };
  await KbContent.updateOne(
    attemptFilter(attempt),
    change,
    emits(nextAttemptAt ? 'kb.content.waiting' : 'kb.content.failed'),
  );
};
