/** What emails about a conversation need: template values, and recipients (the assignee or all eligible agents). */
import type { MailContext } from '../../mail/conversation-templates.ts';
import { links } from '../../mail/links.ts';
import { isBot } from '../conversations/participants.ts';
import { isRejectedAuthor } from './mail-authors.ts';
import { type Recipient, type SenderProject, teammateRecipients } from './recipients.ts';

/** The fields of a conversation that notifications use. */
export interface MailConversation {
  _id: unknown;
  id_project: string;
  request_id: string;
  status: number;
  preflight: boolean;
  ticket_id?: number;
  subject?: string;
  first_text: string;
  channel: { name: string };
  agents: { id_user: { _id: unknown } }[];
  participants: string[];
  followers: string[];
  requester?: { _id: unknown };
  lead?: { _id: unknown; lead_id: string; fullname?: string; email?: string };
}

/** Returns the template values that describe a conversation. */
export const mailContext = ({ name }: SenderProject, request: MailConversation): MailContext => ({
  project: name,
  visitor: request.lead?.fullname || 'A visitor',
  topic: request.subject || request.first_text,
  ticket: request.ticket_id,
  link: links.conversation(request.id_project, request.request_id),
});

/** Returns the data that is stored with an email about a conversation. */
export const mailTarget = ({ _id, id_project, request_id, ticket_id }: MailConversation) => ({
  id_project,
  record: String(_id),
  conversation: { request_id, ticket_id },
});

/**
 * Returns the assignee of a conversation as a list. The list is empty if there is no assignee, or if an SMTP server is
 * configured and the assignee's address is not verified.
 */
export const assigneeRecipients = async ({
  id_project,
  participants: [first],
}: MailConversation): Promise<Recipient[]> => {
  const found = first && !isBot(first) ? await teammateRecipients(id_project, { users: [first] }) : [];
  return found.filter((recipient) => !isRejectedAuthor(recipient));
};

/** Returns the agents whom routing considers for the conversation, except those whose addresses are not verified. */
export const eligibleRecipients = async ({ id_project, agents }: MailConversation): Promise<Recipient[]> => {
  const found = await teammateRecipients(id_project, { users: agents.map(({ id_user }) => String(id_user._id)) });
  return found.filter(({ verified }) => verified);
};
