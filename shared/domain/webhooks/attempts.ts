/** Writes the log of attempts to deliver events. */
import { Types } from 'mongoose';
import { newId } from '../../context.ts';
import { insertMissing } from '../../database/raw-write.ts';
import { WebhookAttempt } from '../../models/webhook-attempt.ts';
import { currentTime } from '../../time/clock.ts';
import type { DueDelivery } from './delivery-queue.ts';

const MAX_REQUEST_CHARACTERS = 4096;
const MAX_ANSWER_CHARACTERS = 2048;
const MAX_ERROR_CHARACTERS = 1000;

/** The result of an attempt: a response, or the reason why there was none. */
export interface AttemptResult {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  err?: string;
  durationMs: number;
}

/** Returns whether the receiver accepted the event. */
export const isSuccess = ({ status = 0 }: AttemptResult): boolean => status >= 200 && status < 300;

/** Builds the log entry of an attempt that has just ended. `json` is the body that was sent, without its token. */
export const buildAttempt = (
  delivery: Pick<DueDelivery, '_id' | 'id_project' | 'subscription' | 'event' | 'attemptsMade'>,
  { url, json }: { url: string; json: string },
  { status, headers, body, err, durationMs }: AttemptResult,
) => {
  const { _id, id_project, subscription, event, attemptsMade } = delivery;
  const now = currentTime();
  return {
    _id: new Types.ObjectId(newId()),
    ...{ id_project, subscription, delivery: _id, event, target: url, attempt: attemptsMade + 1 },
    ...(status !== undefined && {
      status,
      response: JSON.stringify({ status, headers }).slice(0, MAX_ANSWER_CHARACTERS),
    }),
    duration_ms: Math.round(durationMs),
    ...(body && { body: body.slice(0, MAX_ANSWER_CHARACTERS) }),
    jsonRequest: json.slice(0, MAX_REQUEST_CHARACTERS),
    ...(err && { err: err.slice(0, MAX_ERROR_CHARACTERS) }),
    ...{ createdAt: now, updatedAt: now, __v: 0 },
  };
};

/** An entry in the log of attempts. */
export type AttemptEntry = ReturnType<typeof buildAttempt>;

/** Logs attempts with one command. */
export const logAttempts = async (entries: AttemptEntry[]): Promise<void> => {
  if (entries.length) await insertMissing(WebhookAttempt, entries);
};
