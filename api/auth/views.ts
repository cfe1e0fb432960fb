import { z } from 'zod';
import { SignedInUserView } from '#shared/models/user.ts';
import { Time } from '#shared/view.ts';

/** A new account, as sign-up tells of it (contract a 3.2). */
export const SignedUpUserView = SignedInUserView.extend({
  status: z.number(),
  phone: z.string().optional(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

/** A visitor: an identity that lives in its token (contract a 3.5). */
export const VisitorView = z.strictObject({
  _id: z.uuid(),
  id: z.uuid(),
  firstname: z.string(),
  lastname: z.string().optional(),
  email: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
  fullName: z.string(),
});
