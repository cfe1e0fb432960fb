/** A conversation as mails tell of it, and whose of the team it is. */
import type { About } from '../../mail/conversation-templates.ts';
import { links } from '../../mail/links.ts';
import { isBot } from '../conversations/participants.ts';
import { type Recipient, type Sender, teammates } from './recipients.ts';
import { isRefused } from './writers.ts';

/** As much of a conversation as mails tell. */
export interface Conversation {
  _id: unknown;
  id_project: string;
  request_id: string;
  status: number;
  preflight: boolean;
  ticket_id?: number;
  subject?: string;
  first_text: string;
  channel: { name: string };
  agents: { id_user: string }[];
  participants: string[];
  followers: string[];
  requester?: { _id: unknown };
  lead?: { _id: unknown; lead_id: string; fullname?: string; email?: string };
}

/** What a mail says that it is about. */
export const aboutOf = ({ name }: Sender, request: Conversation): About => ({
  project: name,
  visitor: request.lead?.fullname || 'A visitor',
  topic: request.subject || request.first_text,
  ticket: request.ticket_id,
  link: links.conversation(request.id_project, request.request_id),
});

/** The teammate who has the conversation, if one has; over SMTP only at a verified address. */
export const assignee = async ({ id_project, participants: [first] }: Conversation): Promise<Recipient[]> => {
  const found = first && !isBot(first) ? await teammates(id_project, { users: [first] }) : [];
  return found.filter((one) => !isRefused(one));
};

/** Those among whom it would be chosen. */
export const candidates = async ({ id_project, agents }: Conversation): Promise<Recipient[]> => {
  const found = await teammates(id_project, { users: agents.map(({ id_user }) => id_user) });
  return found.filter(({ verified }) => verified);
};
