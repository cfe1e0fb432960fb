import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The project's id. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    failures: { type: Number, default: 0 },
    error: String,
    failingSince: Date,
    /** No email is sent through the server before this time. */
    retryAt: Date,
    /** When the admins were last sent an email about the failures. */
    reportedAt: Date,
  },
  schemaOptions,
);

/** The state of a project's own SMTP server while it fails; absent while it works. */
export const MailCircuit = collection('mail_circuits', schema);
