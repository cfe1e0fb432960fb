import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time } from '../wire/view.ts';

const RETENTION_SECONDS = 30 * 86_400;

const schema = Schema.create(
  {
    to: { type: String, required: true },
    template: { type: String, required: true },
    /** The template's values. Secrets are generated when the email is sent and never stored. */
    values: { type: Schema.Types.Mixed, default: () => ({}) },
    /** Id of the record that the email reports on. */
    record: String,
    /** The conversation that the email reports on; headers of the email contain these two values. */
    conversation: { type: Schema.create({ request_id: String, ticket_id: Number }, { _id: false }) },
    /** The project on whose behalf the email is sent, if any. */
    id_project: String,
    /** Whether the email must only be written to the outbox folder, never sent over SMTP. */
    outbox: Boolean,
    /** Whether the email is a copy of another email, for `EMAIL_BCC`. */
    copy: Boolean,
    /**
     * The time from which a worker may take the email: the time of the next attempt or, during an attempt, the end of
     * its lease. Absent once the email has been sent or has failed for good.
     */
    dueAt: Date,
    /**
     * True while the email waits for its next attempt. An email that is not waiting although its `dueAt` is in the
     * future is being sent.
     */
    isWaiting: Boolean,
    /**
     * The id of the database command that leased the email. By this id, the worker finds the emails that its command
     * has leased.
     */
    leaseId: String,
    attemptsMade: { type: Number, default: 0 },
    sentAt: Date,
    /** Why the last attempt failed, or why the email was not sent at all. */
    failure: String,
  },
  schemaOptions,
);
schema.index({ dueAt: 1 }, { sparse: true });
schema.index({ to: 1, template: 1, failure: 1, createdAt: 1 });
schema.index({ id_project: 1, dueAt: 1 }, { partialFilterExpression: { id_project: { $exists: true } } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** The mail queue. The payload of the job that sends an email contains only the id of the email. */
export const Mail = collection('mails', schema, 'instance');

/** The conversation that an email reports on. */
export interface MailedConversation {
  request_id: string;
  ticket_id?: number;
}

/** An email in event payloads, without its text. */
export const MailEventView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  template: z.string().meta({ description: 'Key of the template, such as `emailDirect`' }),
  to: z.string(),
  subject: optionalField(z.string()),
  createdAt: Time,
});
