/** Builds the timeline of a content: the stages of each attempt, how long they took, and why the attempt ended. */
import { decodeTime } from 'ulid';
import {
  type AttemptOutcome,
  type AttemptStage,
  KEPT_ATTEMPTS,
  type StageRecord,
  type StoredAttempt,
} from '../../../models/kb-attempt.ts';
import { CONTENT_STATUS } from '../../../models/kb-content.ts';
import { currentTime, currentTimeMs } from '../../../time/clock.ts';

/** The fields of a running attempt that the timeline needs. */
interface TimedAttempt {
  id: string;
  stages: StageRecord[];
}

/**
 * Runs a stage of an attempt and measures its time. The stage is recorded before it runs, so that the last recorded
 * stage of a failed attempt is the one that failed. `work` may set `bytes` in the record.
 */
export const runStage = async <T>(
  { stages }: TimedAttempt,
  stage: AttemptStage,
  work: (record: StageRecord) => Promise<T>,
): Promise<T> => {
  const record: StageRecord = { stage, ms: 0 };
  stages.push(record);
  const start = performance.now();
  try {
    return await work(record);
  } finally {
    record.ms = Math.round(performance.now() - start);
  }
};

type AttemptDetails = Pick<
  StoredAttempt,
  'chunks' | 'embedded' | 'code' | 'message' | 'hint' | 'next_attempt_at' | 'ended_at'
>;

/** Returns the `$push` that adds an ended attempt to the timeline and keeps its latest KEPT_ATTEMPTS entries. */
export const pushEnded = (
  { id, stages }: TimedAttempt,
  outcome: AttemptOutcome,
  details: Partial<AttemptDetails> = {},
) => {
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  const entry: StoredAttempt = { id, outcome, stages, ended_at: currentTime(), ...given };
  return { attempts: { $each: [entry], $slice: -KEPT_ATTEMPTS } };
};

/** The entry of an attempt whose worker disappeared, as an aggregation expression. */
const LOST_ATTEMPT = {
  id: '$attemptId',
  outcome: 'aborted',
  ended_at: '$$NOW',
  stages: [{ stage: { $cond: [{ $eq: ['$status', CONTENT_STATUS.fetching] }, 'fetch', 'embed'] } }],
  code: 'WORKER_LOST',
  message: 'The worker that was indexing this content was killed or lost its connection.',
  hint: 'Another worker will index the content again. If this happens repeatedly, see the log of the workers.',
};

/** The new value of `attempts` if the worker of the running attempt disappeared, as an aggregation expression. */
export const attemptsWithLost = {
  $slice: [{ $concatArrays: [{ $ifNull: ['$attempts', []] }, [LOST_ATTEMPT]] }, -KEPT_ATTEMPTS],
};

/** The fields of a content that its timeline is built from. */
interface ContentTimeline {
  status: number;
  attemptId?: string | null;
  attempts?: StoredAttempt[] | null;
}

const startOf = (id: string): Date => new Date(decodeTime(id));

const toView = (attempt: StoredAttempt) => {
  const started_at = startOf(attempt.id);
  return { ...attempt, started_at, ms: Math.max(0, attempt.ended_at.getTime() - started_at.getTime()) };
};

const toRunningView = (id: string, status: number) => {
  const started_at = startOf(id);
  const stage = status === CONTENT_STATUS.fetching ? ('fetch' as const) : ('embed' as const);
  const ms = Math.max(0, currentTimeMs() - started_at.getTime());
  return { id, outcome: 'running' as const, started_at, ms, stages: [{ stage }] };
};

/** Returns the attempts of a content, newest first. A running attempt has the outcome `running`. */
export const toTimeline = ({ status, attemptId, attempts }: ContentTimeline) => [
  ...(attemptId ? [toRunningView(attemptId, status)] : []),
  ...(attempts ?? []).map(toView).toReversed(),
];
