/**
 * Reads MongoDB's change stream. MongoDB selects the writes that emit events, and projects the needed fields.
 * Uses the raw `aggregate` and `getMore` commands, because their replies contain the post-batch resume token.
 */
import mongoose, { type Types } from 'mongoose';

const MAX_AWAIT_MS = 2000;
const WRITES_PER_BATCH = 500;
const EVENT_FIELD_PATHS = ['fullDocument._events', 'updateDescription.updatedFields._events'];

/** A committed write that emits events. */
export interface CommittedWrite {
  _id: { _data: string };
  kind: string;
  /** The name of the model, which is also the name of the collection. */
  model: string;
  record: Types.ObjectId | string;
  committedAt: Date;
  /** The value of `_events`: a string, unless the record is corrupt. */
  text: unknown;
  id_project?: string;
  revision?: number;
  /** The size of an inserted or replaced record. */
  bytes?: number | null;
  /**
   * The id of the record and its last view (the record as events contain it). Only for writes to the `outbox`
   * collection, which holds events that cannot be stored in their record, such as deletions.
   */
  outboxRecord?: { record: string; view: object };
}

/** Writes in commit order. `token` is the resume position after them. */
export interface WriteBatch {
  writes: CommittedWrite[];
  token: { _data: string };
}

const ifInOutbox = (value: object) => ({ $cond: [{ $eq: ['$ns.coll', 'outbox'] }, value, '$$REMOVE'] });

const PIPELINE = [
  {
    $match: {
      operationType: { $in: ['insert', 'update', 'replace'] }, // MongoDB logs some pipeline updates as replacements
      $or: EVENT_FIELD_PATHS.map((path) => ({ [path]: { $exists: true } })),
    },
  },
  {
    $project: {
      kind: '$operationType',
      model: '$ns.coll',
      record: '$documentKey._id',
      committedAt: '$wallTime',
      text: { $ifNull: EVENT_FIELD_PATHS.map((path) => `$${path}`) },
      id_project: '$fullDocument.id_project',
      revision: { $ifNull: ['$fullDocument.__v', '$updateDescription.updatedFields.__v'] },
      bytes: { $bsonSize: '$fullDocument' },
      outboxRecord: ifInOutbox({ record: '$fullDocument.record', view: '$fullDocument.view' }),
    },
  },
];

interface Reply {
  cursor: {
    id: Types.Decimal128;
    firstBatch?: CommittedWrite[];
    nextBatch?: CommittedWrite[];
    postBatchResumeToken: { _data: string };
  };
}

const toBatch = ({ cursor }: Reply): WriteBatch => ({
  writes: cursor.firstBatch ?? cursor.nextBatch ?? [],
  token: cursor.postBatchResumeToken,
});

/** Where a stream starts: after a resume token, at an operation time, or now. */
export type StartPoint = { startAfter: unknown } | { startAtOperationTime: unknown } | Record<string, never>;

/**
 * Opens the change stream of this database. Rejects with a MongoDB error if the oplog does not reach back to `start`.
 */
export const openStream = async (start: StartPoint) => {
  const database = mongoose.connection.db;
  if (!database) throw new Error('MongoDB is not connected; call connectMongo first');
  const session = mongoose.connection.getClient().startSession();
  const command = {
    aggregate: 1,
    pipeline: [{ $changeStream: start }, ...PIPELINE],
    cursor: { batchSize: WRITES_PER_BATCH },
  };
  const opened = (await database.command(command, { session })) as Reply;
  const { id } = opened.cursor;
  let firstReply: Reply | undefined = opened;
  let closing: Promise<void> | undefined;
  const closeStream = async (): Promise<void> => {
    const killCursors = { killCursors: '$cmd.aggregate', cursors: [id] };
    await database.command(killCursors, { session }).catch(() => undefined); // may be closed already
    await session.endSession();
  };
  const getMore = { getMore: id, collection: '$cmd.aggregate', batchSize: WRITES_PER_BATCH, maxTimeMS: MAX_AWAIT_MS };
  return {
    /** The position at which the stream was opened. */
    token: opened.cursor.postBatchResumeToken,
    /** Returns the next writes, or an empty batch if none is committed within two seconds. */
    next: async (): Promise<WriteBatch> => {
      const reply = firstReply ?? ((await database.command(getMore, { session })) as Reply);
      firstReply = undefined;
      return toBatch(reply);
    },
    /** Closes the stream once; a waiting read fails. */
    close: (): Promise<void> => (closing ??= closeStream()),
  };
};
