import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** Name of the listener and id of the event. */
    _id: { type: String, required: true },
    listener: { type: String, required: true },
    id_project: { type: String, required: true },
    event: { type: String, required: true },
    /** The event's id. */
    id: { type: String, required: true },
    record: { type: String, required: true },
    /** A deferred event blocks only later events with the same key. */
    orderingKey: { type: String, required: true },
    position: { type: String, required: true },
    /** The number of failed attempts; 0 until the first attempt has failed. */
    attemptsMade: { type: Number, required: true },
    /**
     * The time from which a worker may take the event: the time of the next attempt or, during the first attempt, the
     * end of its lease.
     */
    dueAt: { type: Date, required: true },
    /** When the event began to block its ordering key. */
    waitingSince: { type: Date, required: true },
    /** The error of the last attempt. */
    error: String,
  },
  schemaOptions,
);
schema.index({ listener: 1, orderingKey: 1, position: 1 });
schema.index({ listener: 1, id_project: 1, dueAt: 1 });
schema.index({ listener: 1, dueAt: 1 });

/**
 * Events that the retry job of their listener and project handles: events that have failed, later events with the same
 * ordering key, events of a project whose events are handled slowly or have piled up, and events whose first attempt is
 * running, in case its worker dies.
 */
export const DeferredEvent = collection('deferred_events', schema, 'instance');
