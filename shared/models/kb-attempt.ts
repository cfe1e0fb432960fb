/** The timeline of a content: one entry for each attempt to index it. Entries are stored with the content. */
import { z } from 'zod';
import { Time, view } from '../wire/view.ts';

/**
 * The stages of an attempt, in order. In `situate`, a chat model writes what each chunk is about. An attempt has only
 * the stages that it has started.
 */
export const ATTEMPT_STAGES = ['fetch', 'render', 'parse', 'situate', 'embed', 'store'] as const;
export type AttemptStage = (typeof ATTEMPT_STAGES)[number];

/** How an attempt ended. */
export type AttemptOutcome = 'indexed' | 'unchanged' | 'retry' | 'failed' | 'aborted';

/** Maximum number of ended attempts that are stored with a content. */
export const KEPT_ATTEMPTS = 10;

/** A stage that an attempt has started, with its duration and the bytes that it received. */
export interface StageRecord {
  stage: AttemptStage;
  /** The duration in milliseconds; absent if the worker disappeared. */
  ms?: number;
  bytes?: number;
}

/** A stored attempt that has ended. Its id is a ULID, which contains the time at which the attempt started. */
export interface StoredAttempt {
  id: string;
  ended_at: Date;
  outcome: AttemptOutcome;
  stages: StageRecord[];
  chunks?: number;
  embedded?: number;
  code?: string;
  message?: string;
  hint?: string;
  next_attempt_at?: Date;
}

const StageView = z.strictObject({
  stage: z.enum(ATTEMPT_STAGES),
  ms: z.number().optional().meta({ description: 'Absent while the stage is running, or if its worker disappeared' }),
  bytes: z
    .number()
    .optional()
    .meta({ description: 'Bytes of the fetched page; 0 if the site answered that the page has not changed' }),
});

/** An attempt on the wire. */
export const KbAttemptView = view('KbAttempt', {
  id: z.string(),
  outcome: z.enum(['indexed', 'unchanged', 'retry', 'failed', 'aborted', 'running']).meta({
    description:
      '`unchanged`: the source is the same as before. `retry`: failed, and another attempt follows. `aborted`: the worker stopped',
  }),
  started_at: Time,
  ended_at: Time.optional().meta({ description: 'Absent while the attempt is running' }),
  ms: z.number().meta({ description: 'Milliseconds from the start to the end, or until now' }),
  stages: z.array(StageView).meta({
    description:
      'In order; the attempt ended in the last one. A running attempt has one entry: `fetch` until its source has been read, then `embed`',
  }),
  chunks: z.number().optional().meta({ description: 'Number of chunks of the content' }),
  embedded: z
    .number()
    .optional()
    .meta({ description: 'Number of chunks that were embedded; the others were unchanged' }),
  code: z.string().optional().meta({ description: 'Code of the reason why the attempt ended without a result' }),
  message: z.string().optional(),
  hint: z.string().optional(),
  next_attempt_at: Time.optional(),
});
