/** The database's log, as far as it tells events: filtered and made small by MongoDB itself. */
import mongoose, { type Types } from 'mongoose';

const WAIT_MS = 500;
const MOST = 500;
const TOLD_BY = ['fullDocument._events', 'updateDescription.updatedFields._events'];

/** A write that tells events. */
export interface Change {
  _id: { _data: string };
  kind: string;
  /** The model's name, which is the collection's. */
  model: string;
  record: Types.ObjectId | string;
  /** When it was committed. */
  at: Date;
  /** The text of `_events`. */
  text: unknown;
  id_project?: string;
  revision?: number;
  /** The record told of, and what it was: in the outbox alone. */
  told?: { record: string; shown: object };
}

/** Changes in the order of commit; `token` stands behind the last of them, or behind the present moment. */
export interface Batch {
  changes: Change[];
  token: { _data: string };
}

const outbox = (value: object) => ({ $cond: [{ $eq: ['$ns.coll', 'outbox'] }, value, '$$REMOVE'] });

const PIPELINE = [
  {
    $match: {
      operationType: { $in: ['insert', 'update', 'replace'] }, // some pipelines' updates are logged as the whole record
      $or: TOLD_BY.map((path) => ({ [path]: { $exists: true } })),
    },
  },
  {
    $project: {
      kind: '$operationType',
      model: '$ns.coll',
      record: '$documentKey._id',
      at: '$wallTime',
      text: { $ifNull: TOLD_BY.map((path) => `$${path}`) },
      id_project: '$fullDocument.id_project',
      revision: { $ifNull: ['$fullDocument.__v', '$updateDescription.updatedFields.__v'] },
      told: outbox({ record: '$fullDocument.record', shown: '$fullDocument.shown' }),
    },
  },
];

interface Reply {
  cursor: {
    id: Types.Decimal128;
    firstBatch?: Change[];
    nextBatch?: Change[];
    postBatchResumeToken: { _data: string };
  };
}

const batchOf = ({ cursor }: Reply): Batch => ({
  changes: cursor.firstBatch ?? cursor.nextBatch ?? [],
  token: cursor.postBatchResumeToken,
});

/** Where to begin: behind a token, at a time of the database's clock, or now. */
export type Start = { startAfter: unknown } | { startAtOperationTime: unknown } | Record<string, never>;

/** Open the log of this database. Rejects with a code of MongoDB where it does not reach back to `start`. */
export const openStream = async (start: Start) => {
  const database = mongoose.connection.db;
  if (!database) throw new Error('not connected');
  const session = mongoose.connection.getClient().startSession();
  const command = { aggregate: 1, pipeline: [{ $changeStream: start }, ...PIPELINE], cursor: { batchSize: MOST } };
  const opened = (await database.command(command, { session })) as Reply;
  const { id } = opened.cursor;
  let first: Reply | undefined = opened;
  const more = { getMore: id, collection: '$cmd.aggregate', batchSize: MOST, maxTimeMS: WAIT_MS };
  return {
    /** The place it was opened at. */
    token: opened.cursor.postBatchResumeToken,
    /** The next changes, or none after half a second without any. */
    next: async (): Promise<Batch> => {
      const reply = first ?? ((await database.command(more, { session })) as Reply);
      first = undefined;
      return batchOf(reply);
    },
    close: async (): Promise<void> => {
      await database.command({ killCursors: '$cmd.aggregate', cursors: [id] }, { session }).catch(() => undefined); // it may be gone
      await session.endSession();
    },
  };
};
