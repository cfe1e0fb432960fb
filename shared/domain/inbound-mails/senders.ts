/** The senders of mails as visitors of a project. */
import { oneLine } from '../../mail/mail-text.ts';
import type { MailAddress } from '../../parsing/mail/mail-tasks.ts';
import { findAccessRules } from '../access/project-access-rules.ts';
import { visitorOfAddress } from '../accounts/visitors.ts';
import type { Actor } from '../conversations/conversation.ts';
import * as leads from '../leads/leads.ts';
import type { MailThread } from './threads.ts';

/** The visitor who writes a mail, and the e-mail of a new lead. */
export interface MailSender {
  actor: Actor;
  email?: string;
}

/**
 * Returns the sender of a mail: in a conversation its lead, under the name in the mail; otherwise the visitor of the
 * address. A lead that exists keeps its e-mail, which an agent may have changed.
 */
export const findSender = async (
  id_project: string,
  { name, address }: MailAddress,
  thread: MailThread | null,
): Promise<MailSender> => {
  const person = { kind: 'guest', role: 'guest', fullname: oneLine(name) || address };
  if (thread) return { actor: { ...person, id: thread.lead.lead_id } };
  const visitor = await visitorOfAddress(id_project, address);
  const lead = await leads.findByLeadId(id_project, visitor.id);
  return { actor: { ...person, ...visitor }, email: lead?.email ? undefined : address };
};

/** Whether the project has banned a visitor. */
export const isBanned = async (id_project: string, visitor: string): Promise<boolean> =>
  (await findAccessRules(id_project))?.bannedUsers?.some(({ id }) => id === visitor) ?? false;
