import { Schema } from 'mongoose';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The event id and the bot id, so that an event that is read twice creates only one call. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    bot: { type: String, required: true },
    /** The `request_id`; for a direct message, the message's id. */
    conversation: { type: String, required: true },
    /** Id of the stored message; for a hidden message, the id of the record that `event` is about. */
    message: { type: String, required: true },
    /**
     * Whether the message is hidden, that is, not stored. A hidden message starts the bot in a conversation, or comes
     * from a trigger.
     */
    hidden: Boolean,
    /** The text of a trigger's hidden message. Other hidden messages consist of the start command (`\start`). */
    text: String,
    /** The event that caused the call: its id, its name, and its position in the changes log. */
    event: { type: String, required: true },
    event_name: { type: String, required: true },
    position: { type: String, required: true },
    /**
     * The time from which a worker may take the call: the time of the next attempt or, during an attempt, the end of
     * its lease. Absent after success and after the last attempt.
     */
    dueAt: Date,
    attemptsMade: { type: Number, default: 0 },
    /** When a replay of the event last reopened the call after it had been given up. */
    reopenedAt: Date,
    /**
     * Id of the running attempt, and the numbers of the bot's slot and the project's slot that it holds. Absent between
     * attempts.
     */
    holder: String,
    bot_slot: Number,
    project_slot: Number,
    /** When the call began to wait for a slot. Absent if it is not waiting. */
    waitingSince: Date,
    given_up: Boolean,
    /** Why the last attempt failed. */
    error: String,
  },
  schemaOptions,
);
schema.index(
  { id_project: 1, bot: 1, conversation: 1, position: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);
schema.index({ id_project: 1, waitingSince: 1 }, { partialFilterExpression: { waitingSince: { $exists: true } } });
schema.index({ dueAt: 1 }, { sparse: true });
schema.index({ id_project: 1, event: 1 }, { partialFilterExpression: { given_up: true } });
schema.index(
  { id_project: 1, bot: 1, bot_slot: 1 },
  { unique: true, partialFilterExpression: { bot_slot: { $exists: true } } },
);
schema.index(
  { id_project: 1, project_slot: 1 },
  { unique: true, partialFilterExpression: { project_slot: { $exists: true } } },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.CHANGES_TTL_SECONDS });

/** Calls to bots: one record for each message addressed to a bot, kept as long as the message's event. */
export const BotCall = collection('bot_calls', schema);
