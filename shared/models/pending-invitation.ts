import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** In lower case. */
    email: { type: String, required: true },
    role: { type: String, required: true },
    user_available: { type: Boolean, default: true },
    firstname: String,
    lastname: String,
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, email: 1 }, { unique: true });
schema.index({ email: 1 });

/** Invitations that no account can accept yet, because no account has verified the address. */
export const PendingInvitation = collection('pending_invitations', schema);

/** A pending invitation on the wire. */
export const PendingInvitationView = view('PendingInvitation', {
  _id: Id,
  id_project: z.string(),
  email: z.string(),
  role: z.string(),
  user_available: z.boolean(),
  firstname: optionalField(z.string()),
  lastname: optionalField(z.string()),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
