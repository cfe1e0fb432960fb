import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** In lower case. */
    address: { type: String, required: true },
    reason: { type: String, required: true },
    /** Id of the email that was rejected or returned. */
    mail: String,
  },
  schemaOptions,
);
schema.index({ id_project: 1, address: 1 }, { unique: true });
schema.index({ id_project: 1, createdAt: -1, _id: -1 });

/**
 * Addresses to which a project sends no further emails, because a mail server rejected the address or returned an
 * email sent to it.
 */
export const MailBlock = collection('mail_blocks', schema);

/** A blocked address on the wire. */
export const MailBlockView = view('MailBlock', {
  _id: Id,
  id_project: z.string(),
  address: z.string(),
  reason: z.string(),
  mail: optionalField(z.string()),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
