/**
 * The log of access changes. API processes cache accounts, tokens and memberships, so that requests need not read them.
 * Each process polls this log and drops the cache entries that a change concerns.
 */
import { type ClientSession, Types } from 'mongoose';
import { AccessChange } from '../../models/access-change.ts';

/**
 * What a change concerns: a token, a membership, a whole principal (account, visitor, bot or subscription), or a whole
 * project.
 */
export type AccessSubject =
  | { jti: string }
  | { user: string; project: string }
  | { user: string }
  | { project: string };

/** Returns the key that a change and the cache entries it concerns have in common. */
export const accessKey = (subject: AccessSubject): string => {
  if ('jti' in subject) return `token ${subject.jti}`;
  if (!('user' in subject)) return `project ${subject.project}`;
  return 'project' in subject ? `member ${subject.project} ${subject.user}` : `user ${subject.user}`;
};

/**
 * Records a change of access within the transaction that makes it. Every API process applies it within one second of
 * the commit.
 */
export const recordAccessChange = async (subject: AccessSubject, session: ClientSession): Promise<void> => {
  await AccessChange.create([{ subject: accessKey(subject) }], { session });
};

/** Longer than any transaction plus the clock difference of two hosts. */
const OVERLAP_MS = 90_000;

/** A position in the log. */
export interface AccessCursor {
  /**
   * When the last read began (before the first read: where reading starts), in epoch milliseconds. Only changes that
   * were committed later may still be unread.
   */
  readTo: number;
  /**
   * Ids of the recently read changes, each with the time when it was read. The next read begins `OVERLAP_MS` before
   * `readTo`, so it finds these changes again and must skip them.
   */
  seen: Map<string, number>;
}

/** Returns the current end of the log. */
export const currentCursor = (): AccessCursor => ({ readTo: Date.now(), seen: new Map() });

/**
 * Returns the keys of the changes after the cursor, and advances the cursor. `maxTimeMS` limits the query. A change
 * gets its id before its transaction commits, so ids are not in the order of the commits. Each call therefore reads the
 * most recent changes again and skips those that the cursor has seen.
 */
export const readAccessChanges = async (cursor: AccessCursor, maxTimeMS: number): Promise<string[]> => {
  const startedAt = Date.now();
  const from = Types.ObjectId.createFromTime(Math.floor((cursor.readTo - OVERLAP_MS) / 1000));
  const read = await AccessChange.find({ _id: { $gte: from } }, { subject: 1 }, { maxTimeMS }).lean();
  const unseen = read.filter(({ _id }) => !cursor.seen.has(String(_id)));
  for (const { _id } of unseen) cursor.seen.set(String(_id), startedAt);
  for (const [id, readAt] of cursor.seen) if (readAt < startedAt - 2 * OVERLAP_MS) cursor.seen.delete(id);
  cursor.readTo = startedAt;
  return unseen.map(({ subject }) => subject);
};
