import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const RETENTION_SECONDS = 400 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The Message-ID, in angle brackets. */
    message_id: { type: String, required: true },
    request_id: { type: String, required: true },
    direction: { type: String, enum: ['in', 'out'], required: true },
    /** The sender of a received email, or the recipient of a sent email. */
    address: { type: String, required: true },
    subject: String,
  },
  schemaOptions,
);
schema.index({ id_project: 1, message_id: 1 }, { unique: true });
schema.index({ id_project: 1, request_id: 1, createdAt: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** The emails of conversations by Message-ID; through them, the conversation of an emailed reply is found. */
export const MailMessage = collection('mail_messages', schema);
