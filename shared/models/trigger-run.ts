import { Schema } from 'mongoose';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** Derived from the event and the trigger, so that a trigger runs only once for an event. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    trigger: { type: String, required: true },
    /** Id, name, record and position of the event in the changes log. */
    event_id: { type: String, required: true },
    event: { type: String, required: true },
    record: { type: String, required: true },
    position: { type: String, required: true },
    /** The `request_id` of the conversation that the actions concern. */
    conversation: { type: String, required: true },
    /** 1 if a person or program caused the event, 2 if an action of a run with depth 1 did, and so on. */
    depth: { type: Number, required: true },
    /** Index of the next action. */
    next: { type: Number, default: 0 },
    /**
     * The time from which a worker may take the next action: the time of the next attempt or, during an attempt, the
     * end of its lease. Absent after the last action.
     */
    dueAt: Date,
    /** Attempts at the next action. */
    attemptsMade: { type: Number, default: 0 },
    /** Why actions failed. */
    failures: { type: [Schema.Types.Mixed], default: undefined },
  },
  schemaOptions,
);
schema.index({ id_project: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
schema.index({ dueAt: 1 }, { sparse: true });
schema.index({ id_project: 1, trigger: 1, conversation: 1, createdAt: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.CHANGES_TTL_SECONDS });

/** Runs of triggers: one record for each event and each trigger that it started, kept as long as the event. */
export const TriggerRun = collection('trigger_runs', schema);
