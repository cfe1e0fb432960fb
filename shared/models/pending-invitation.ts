import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

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
  kept,
);
schema.index({ id_project: 1, email: 1 }, { unique: true });
schema.index({ email: 1 });

/** A membership that waits for its person to sign up (contract a 7). */
export const PendingInvitation = collection('pending_invitations', schema);

/** A pending invitation on the wire. */
export const PendingInvitationView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  email: z.string(),
  role: z.string(),
  user_available: z.boolean(),
  firstname: maybe(z.string()),
  lastname: maybe(z.string()),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
