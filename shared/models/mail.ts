import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time } from '../wire/view.ts';

const RETENTION_SECONDS = 30 * 86_400;

const schema = Schema.create(
  {
    to: { type: String, required: true },
    template: { type: String, required: true },
    /** The template's values. Secrets are generated when the e-mail is sent and never stored. */
    values: { type: Schema.Types.Mixed, default: () => ({}) },
    /** Id of the record that the e-mail reports on. */
    record: String,
    /** The conversation that the e-mail reports on, for the headers of the e-mail. */
    conversation: { type: Schema.create({ request_id: String, ticket_id: Number }, { _id: false }) },
    /** The project in whose name the e-mail is sent, if any. */
    id_project: String,
    /** Whether the e-mail must only be written to the outbox folder, never sent over SMTP. */
    outbox: Boolean,
    /** Whether the e-mail is a copy of another e-mail, for `EMAIL_BCC`. */
    copy: Boolean,
    /**
     * The time from which a worker may take the e-mail: the time of the next attempt or, during an attempt, the end of
     * its lease. Absent once the e-mail has been sent or has finally failed.
     */
    dueAt: Date,
    /** Whether the e-mail waits for its next attempt. Otherwise, an e-mail whose `dueAt` lies ahead is being sent. */
    isWaiting: Boolean,
    /** Identifies the command that leased the e-mail, so that it finds the e-mails that it has leased. */
    leaseId: String,
    attemptsMade: { type: Number, default: 0 },
    sentAt: Date,
    /** Why the last attempt failed, or why the e-mail was not sent at all. */
    failure: String,
  },
  schemaOptions,
);
schema.index({ dueAt: 1 }, { sparse: true });
schema.index({ to: 1, template: 1, createdAt: 1 });
schema.index({ id_project: 1, dueAt: 1 }, { partialFilterExpression: { id_project: { $exists: true } } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** The mail queue. The payload of the job that sends an e-mail contains only its id. */
export const Mail = collection('mails', schema, 'instance');

/** The conversation that an e-mail reports on. */
export interface MailedConversation {
  request_id: string;
  ticket_id?: number;
}

/** An e-mail in event payloads, without its text. */
export const MailEventView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  template: z.string().meta({ description: 'Key of the template, such as `emailDirect`' }),
  to: z.string(),
  subject: optionalField(z.string()),
  createdAt: Time,
});
