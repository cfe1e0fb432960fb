import { Schema } from 'mongoose';
import { config } from '../config.ts';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    /** Event and bot, so that an event that is read twice writes one call. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    bot: { type: String, required: true },
    /** The `request_id`; the message's own id where it is a direct message. */
    conversation: { type: String, required: true },
    message: { type: String, required: true },
    /** Id and position of the event in the changes log. */
    event: { type: String, required: true },
    position: { type: String, required: true },
    /** When the call may be made; while it is being made, the end of the lease. Absent once it is made or given up. */
    due: Date,
    tries: { type: Number, default: 0 },
    /** The attempt that makes the call, with its slots of the bot and of the project. Absent while nobody makes it. */
    holder: String,
    bot_slot: Number,
    project_slot: Number,
    /** Since when it waits for a slot. */
    starving: Date,
    given_up: Boolean,
    /** Why the last attempt failed. */
    error: String,
  },
  kept,
);
schema.index(
  { id_project: 1, bot: 1, conversation: 1, position: 1 },
  { partialFilterExpression: { due: { $exists: true } } },
);
schema.index({ id_project: 1, starving: 1 }, { partialFilterExpression: { starving: { $exists: true } } });
schema.index({ due: 1 }, { sparse: true });
schema.index(
  { id_project: 1, bot: 1, bot_slot: 1 },
  { unique: true, partialFilterExpression: { bot_slot: { $exists: true } } },
);
schema.index(
  { id_project: 1, project_slot: 1 },
  { unique: true, partialFilterExpression: { project_slot: { $exists: true } } },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.CHANGES_TTL });

/** Calls of bots: one record for each message that a bot has to get, kept as long as its event. */
export const BotCall = collection('bot_calls', schema);
