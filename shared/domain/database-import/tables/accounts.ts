/** Imports accounts of people. */
import { z } from 'zod';
import { User } from '../../../models/user.ts';
import { flag, instanceFields, nonEmptyText, number, object, optional, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Accounts. Their bcrypt hashes are verified at the first sign-in and then replaced. */
export const users: ImportTable = {
  model: User,
  sources: ['users'],
  fields: z.object({
    ...instanceFields,
    email: nonEmptyText().transform((email) => email.trim().toLowerCase()),
    password: nonEmptyText(),
    firstname: optional(text()),
    lastname: optional(text()),
    emailverified: withDefault(flag(), false),
    status: withDefault(number(), 100),
    attributes: optional(object()),
    description: optional(text()),
    public_email: optional(text()),
    public_website: optional(text()),
    phone: optional(text()),
  }),
  replaced: {
    resetpswrequestid: 'links to reset a password must be requested again',
    signedInAt: 'the source never sets it',
    authUrl: 'the source never sets it',
  },
};
