import { Schema } from 'mongoose';
import { config } from '../config.ts';
import { collection } from '../mongo.ts';

/** The project of a gap: it lies in every project's changes. */
export const EVERYBODY = '*';

const schema = Schema.create(
  {
    /** The event's id: the ULID in `_events`, record, index. The same however often it is relayed, new at every write. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    /** Place in the order of commit: the resume token and the index, sorted as text. */
    position: { type: String, required: true },
    /** A name of the menu; `gap` where events may have been lost. */
    event: { type: String, required: true },
    record: String,
    /** The record's `__v` at the write. */
    revision: Number,
    payload: Schema.Types.Mixed,
    /** The visitor whose conversation it belongs to, and what that visitor may see of it: nothing where absent. */
    visitor: String,
    visitor_payload: Schema.Types.Mixed,
    /** Who made the call that it came of; absent where the system did it by itself. Shown to nobody from here. */
    by: Schema.Types.Mixed,
    /** When it was committed. */
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, minimize: false, strict: 'throw', id: false },
);
schema.index({ id_project: 1, position: 1 });
schema.index({ id_project: 1, visitor: 1, position: 1 }, { partialFilterExpression: { visitor: { $exists: true } } });
schema.index({ event: 1, position: 1 });
schema.index({ position: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.CHANGES_TTL });

/** The changes log: every event once, in the order of commit. Written by the relay alone; followed by clients, listeners and webhooks (design 3). */
export const Change = collection('changes', schema);
