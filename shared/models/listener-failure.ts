import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    /** Listener and event. */
    _id: { type: String, required: true },
    listener: { type: String, required: true },
    id_project: { type: String, required: true },
    event: { type: String, required: true },
    /** The event's id. */
    id: { type: String, required: true },
    record: { type: String, required: true },
    /** What it is about: one event holds the later ones of its line alone. */
    line: { type: String, required: true },
    position: { type: String, required: true },
    /** How often it failed; 0 for one that only waits behind an earlier one of its line. */
    tries: { type: Number, required: true },
    /** When its next try may be. */
    due: { type: Date, required: true },
    /** When its line began to wait. */
    since: { type: Date, required: true },
    /** What went wrong the last time. */
    error: String,
  },
  kept,
);
schema.index({ listener: 1, line: 1, position: 1 });
schema.index({ listener: 1, id_project: 1, due: 1 });
schema.index({ listener: 1, due: 1 });

/** Events that a listener failed at, kept aside for another try, and those held behind them. */
export const ListenerFailure = collection('listener_failures', schema, 'instance');
