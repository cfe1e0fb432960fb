import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const MONTH = 30 * 86_400;

const schema = Schema.create(
  {
    to: { type: String, required: true },
    template: { type: String, required: true },
    /** What the template tells; secrets are made when the mail is sent, and so never stand here. */
    values: { type: Schema.Types.Mixed, default: () => ({}) },
    /** The record that it tells of. */
    about: String,
    /** The project that it is written for, if any. */
    id_project: String,
    /** It may only go to the outbox folder, never to a mail server. */
    outbox: Boolean,
    /** When it is tried next; absent once it is sent or given up. */
    due: Date,
    tries: { type: Number, default: 0 },
    sentAt: Date,
    /** Why the last try failed, or why it was not sent at all. */
    failure: String,
  },
  kept,
);
schema.index({ due: 1 }, { sparse: true });
schema.index({ to: 1, template: 1, createdAt: 1 });
schema.index({ id_project: 1 }, { sparse: true });
schema.index({ createdAt: 1 }, { expireAfterSeconds: MONTH });

/** A mail to somebody, from the wish to write it to its sending: the job that sends it knows its id alone. */
export const Mail = collection('mails', schema, 'instance');
