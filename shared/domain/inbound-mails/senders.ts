/** Maps the senders of emails to visitors of a project. */
import { oneLine } from '../../mail/mail-text.ts';
import type { MailAddress } from '../../parsing/mail/mail-tasks.ts';
import { findAccessRules } from '../access/cached-project.ts';
import { visitorOfAddress } from '../accounts/visitors.ts';
import type { Actor } from '../conversations/conversation.ts';
import * as leads from '../leads/leads.ts';
import type { AnsweredConversation } from './threads.ts';

/** The visitor who sent an email, and the email address to store if the lead has none. */
export interface MailSender {
  actor: Actor;
  email?: string;
}

/**
 * Returns the sender of an email: the lead of its conversation or, for a new conversation, the visitor with the From
 * address. The sender's name is taken from the email. A lead keeps its email address, which an agent may have changed.
 */
export const findSender = async (
  id_project: string,
  { name, address }: MailAddress,
  thread: AnsweredConversation | null,
): Promise<MailSender> => {
  const person = { kind: 'guest', role: 'guest', fullname: oneLine(name) || address };
  if (thread) return { actor: { ...person, id: thread.lead.lead_id } };
  const visitor = await visitorOfAddress(id_project, address);
  const lead = await leads.findByLeadId(id_project, visitor.id);
  return { actor: { ...person, ...visitor }, email: lead?.email ? undefined : address };
};

/** Returns whether the project has banned a visitor. */
export const isBanned = async (id_project: string, visitor: string): Promise<boolean> =>
  (await findAccessRules(id_project))?.bannedUsers?.some(({ id }) => id === visitor) ?? false;
