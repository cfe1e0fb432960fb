/** Deletes the conversations whose retention time has ended, because no TTL index does so. */
import { config } from '../../config.ts';
import { readEach } from '../../database/raw-read.ts';
import { AppError } from '../../errors.ts';
import { CONVERSATION_STATUS, Conversation } from '../../models/conversation.ts';
import { Project } from '../../models/project.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { remove } from '../conversations/lifecycle/delete.ts';

const MS_PER_SECOND = 1000;

const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof AppError && error.status === 404)) throw error;
};

const applyToProject = async (id_project: string, closedBefore: Date, dryRun: boolean): Promise<number> => {
  const closed = { preflight: { $in: [true, false] }, status: CONVERSATION_STATUS.closed };
  const filter = { id_project, ...closed, closed_at: { $lt: closedBefore } };
  let count = 0;
  for await (const { request_id } of readEach(Conversation, filter, { fields: { request_id: 1 } })) {
    if (!dryRun) await remove({ id_project, request_id }).catch(ignoreMissing);
    count += 1;
  }
  return count;
};

/**
 * Deletes the closed conversations whose retention time (`CONVERSATION_RETENTION_SECONDS`) has ended, with their
 * messages, and emits `request.delete` for each; in a dry run, only counts them. Returns the number of conversations by
 * project, or null if conversations are kept indefinitely. An interrupted run can be repeated.
 */
export const applyRetention = async (
  dryRun: boolean,
  seconds = config.CONVERSATION_RETENTION_SECONDS,
): Promise<Record<string, number> | null> => {
  if (seconds === undefined) return null;
  const closedBefore = new Date(currentTimeMs() - seconds * MS_PER_SECOND);
  const counts: Record<string, number> = {};
  for await (const { _id } of Project.find({}, { _id: 1 }).lean().cursor()) {
    const count = await applyToProject(String(_id), closedBefore, dryRun);
    if (count) counts[String(_id)] = count;
  }
  return counts;
};
