import { Schema } from 'mongoose';
import { config } from '../config.ts';
import { collection } from '../database/collection.ts';

/** The `id_project` of gaps (positions where events may be missing); a gap belongs to the log of every project. */
export const GAP_PROJECT = '*';

/** The `id_project` of events that belong to no project, and of global subscriptions. */
export const INSTANCE = 'instance';

const schema = Schema.create(
  {
    /**
     * The event's id: the ULID in `_events` (the record's field for the events of its last write), the record's id, and
     * the index of the event in `_events`. Relaying an event again gives the same id.
     */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    /**
     * Position in the order of commit: the resume token of the write in MongoDB's change stream, and the index of the
     * event in `_events`. Positions are compared as strings.
     */
    position: { type: String, required: true },
    /** A name in the event registry, or `gap` at a position where events may be missing. */
    event: { type: String, required: true },
    record: String,
    /** The record's `__v` at the time of the write. */
    revision: Number,
    payload: Schema.Types.Mixed,
    /**
     * The visitor whose conversation the record belongs to, and the payload for that visitor. Absent if the visitor may
     * not see the event.
     */
    visitor: String,
    visitor_payload: Schema.Types.Mixed,
    /** Additional values for listeners, as they were at the time of the write. Never returned to clients. */
    context: Schema.Types.Mixed,
    /** The actor of the call that emitted the event; absent if no call did. Never returned to clients. */
    actor: Schema.Types.Mixed,
    /** The time of the commit. */
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, minimize: false, strict: 'throw', id: false },
);
schema.index({ id_project: 1, position: 1 });
schema.index({ id_project: 1, visitor: 1, position: 1 }, { partialFilterExpression: { visitor: { $exists: true } } });
schema.index({ event: 1, position: 1 });
schema.index({ position: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.CHANGES_TTL_SECONDS });

/**
 * The changes log: every event once, in the order of commit. Only the relay writes it; clients and listeners read it.
 */
export const Change = collection('changes', schema);
