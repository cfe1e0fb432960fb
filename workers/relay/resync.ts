/**
 * Recovers when the oplog does not reach back to the point where the relay stopped, or when the database was restored
 * from a backup: appends a gap (an entry before which changes may be missing) to the changes log, and relays the last
 * events of the changed records again.
 */
import { mongo } from 'mongoose';
import { decodeTime, encodeTime } from 'ulid';
import { models } from '#shared/database/collection.ts';
import type { RelayLease } from '#shared/domain/events/relay-lease.ts';
import { logger } from '#shared/logger.ts';
import { Change, GAP_PROJECT } from '#shared/models/change.ts';
import { currentTime } from '#shared/time/clock.ts';
import type { CommittedWrite } from './change-stream.ts';
import { positionOf } from './decode-events.ts';
import type { RecordKey } from './payload-readers.ts';
import { relayBatch } from './relay-batch.ts';

/**
 * Codes of MongoDB's errors InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost and BSONObjectTooLarge
 * (a change is too large for the stream).
 */
const LOST_TOKEN_CODES = new Set([260, 280, 286, 10_334]);
/**
 * Maximum clock difference between processes. Events that seem older than the last relayed write by up to this time are
 * relayed again, because the clock of the process that emitted them may have been behind.
 */
const CLOCK_MARGIN_MS = 600_000;
const RECORDS_PER_BATCH = 200;
/** The beginning of a valid `_events` string. Invalid strings are skipped. */
const STARTS_WITH_ULID = /^\["[0-9A-HJKMNP-TV-Z]{26}"/;

/** Whether the change stream can never resume from the requested position. */
export const isResumeTokenLost = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && LOST_TOKEN_CODES.has(Number(error.code));

interface RecordWithEvents {
  _id: RecordKey;
  _events: string;
  id_project?: string;
  __v?: number;
  record?: string;
  view?: object;
}

const writeTimeOf = (text: string): Date => new Date(decodeTime(text.slice(2, 28)));

/** Converts a stored record and its last events to a write at `position`. */
const toCommittedWrite = (
  model: string,
  { _id, _events, id_project, __v, record, view }: RecordWithEvents,
  position: string,
) => ({
  ...{ _id: { _data: position }, kind: 'rescan', model, record: _id, committedAt: writeTimeOf(_events), text: _events },
  ...{ id_project, revision: __v },
  ...(model === 'outbox' ? { outboxRecord: { record, view } as CommittedWrite['outboxRecord'] } : {}),
});

/** Returns the records whose last events are from `since` or later; the ULID in `_events` contains the time. */
const recordsEmittedSince = (model: ReturnType<typeof models>[number], since: number) =>
  model
    .find({ _events: { $gte: `["${encodeTime(since, 10)}`, $regex: STARTS_WITH_ULID } } as object, null, {
      anyProject: true,
    })
    .select({ _events: 1, id_project: 1, record: 1, view: 1, __v: 1 })
    .sort({ _events: 1 })
    .allowDiskUse(true)
    .lean<RecordWithEvents[]>()
    .cursor({ batchSize: RECORDS_PER_BATCH });

const relayAgain = async (token: string, since: number): Promise<number> => {
  let count = 0;
  for (const model of models()) {
    let batch: CommittedWrite[] = [];
    for await (const record of recordsEmittedSince(model, since)) {
      count += 1;
      batch.push(toCommittedWrite(model.modelName, record, `${token}.${String(count).padStart(9, '0')}`));
      if (batch.length < RECORDS_PER_BATCH) continue;
      await relayBatch(batch);
      batch = [];
    }
    await relayBatch(batch);
  }
  return count;
};

/**
 * Appends a gap to the changes log, after which every client lists its records again. Then relays the last events of
 * all records that have been written since shortly before the relay stopped. Events that are already in the log are
 * recognized by their ids and skipped. `token` is the position at which the new stream starts.
 */
export const recoverFromGap = async ({ relayedUntil }: RelayLease, token: string): Promise<void> => {
  logger.error(
    { relayedUntil },
    'events may be lost: the relay was stopped for longer than the oplog window, or the database was restored',
  );
  const gap = { _id: `gap-${token}`, id_project: GAP_PROJECT, position: positionOf(token, 0), event: 'gap' };
  await Change.create([{ ...gap, createdAt: currentTime() }]);
  const relayed = await relayAgain(token, Math.max(0, (relayedUntil?.getTime() ?? 0) - CLOCK_MARGIN_MS));
  logger.error({ relayed }, 'last events of changed records relayed again after the gap');
};
