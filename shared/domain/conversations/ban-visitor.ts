/** Bans a visitor from a project, and informs the visitor with a message. */
import { ban } from '../projects/update-project.ts';
import { prepareBanMessage } from './messages/system-messages.ts';

/**
 * Bans a visitor and stores the direct message about the ban in one transaction. A visitor who is already banned
 * receives no second message. Errors: 413 if the project has the maximum number of bans.
 */
export const banVisitor = async (id_project: string, visitor: { id: string; ip?: string }) =>
  ban(id_project, visitor, await prepareBanMessage(id_project, visitor.id));
