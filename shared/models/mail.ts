import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const RETENTION_SECONDS = 30 * 86_400;

const schema = Schema.create(
  {
    to: { type: String, required: true },
    template: { type: String, required: true },
    /** The template's values. Secrets are generated when the mail is sent and never stored. */
    values: { type: Schema.Types.Mixed, default: () => ({}) },
    /** Id of the record that the mail reports on. */
    record: String,
    /** The project in whose name the mail is sent, if any. */
    id_project: String,
    /** The mail may only be written to the outbox folder, never sent over SMTP. */
    outbox: Boolean,
    /** The copy of another mail, for `EMAIL_BCC`. */
    copy: Boolean,
    /**
     * From this time on a worker may take the mail: the time of the next attempt, or during an attempt the end of its
     * lease. Absent once the mail is sent or failed.
     */
    dueAt: Date,
    /** Waits for its next attempt. Without it, a mail whose `dueAt` lies ahead is being sent. */
    isWaiting: Boolean,
    attemptsMade: { type: Number, default: 0 },
    sentAt: Date,
    /** Why the last attempt failed, or why the mail was not sent at all. */
    failure: String,
  },
  schemaOptions,
);
schema.index({ dueAt: 1 }, { sparse: true });
schema.index({ to: 1, template: 1, createdAt: 1 });
schema.index({ id_project: 1, dueAt: 1 }, { partialFilterExpression: { id_project: { $exists: true } } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** The mail queue. The job that sends a mail carries only its id. */
export const Mail = collection('mails', schema, 'instance');
