/** Banning a visitor from a project, with the message that informs the visitor. */
import { ban } from '../projects/update-project.ts';
import { prepareBanMessage } from './messages/system-messages.ts';

/**
 * Bans a visitor and sends the direct message about it, in one transaction. A visitor who is banned already gets no
 * second message.
 */
export const banVisitor = async (id_project: string, visitor: { id: string; ip?: string }) =>
  ban(id_project, visitor, await prepareBanMessage(id_project, visitor.id));
