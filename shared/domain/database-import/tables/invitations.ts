/** Imports invitations. */
import { z } from 'zod';
import { PendingInvitation } from '../../../models/pending-invitation.ts';
import { authoredFields, flag, nonEmptyText, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Invitations that have not been accepted yet. */
export const invitations: ImportTable = {
  model: PendingInvitation,
  sources: ['pending_invitations', 'pendinginvitations', 'pending-invitations'],
  fields: z.object({
    ...authoredFields,
    email: nonEmptyText().transform((email) => email.trim().toLowerCase()),
    role: z.enum(['agent', 'admin']),
    user_available: withDefault(flag(), true),
  }),
};
