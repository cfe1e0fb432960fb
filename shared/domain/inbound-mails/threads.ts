/** Finds the conversation that a received email belongs to. */
import { Conversation } from '../../models/conversation.ts';
import type { MailAddress } from '../../parsing/mail/mail-tasks.ts';
import { findMails } from '../mails/mail-threads.ts';
import { conversationOfAddress } from '../mails/reply-address.ts';

const MAX_ADDRESSES = 50;

/** The conversation of an email, and the lead who takes part in it. */
export interface AnsweredConversation {
  request_id: string;
  lead: { lead_id: string; email?: string };
}

/** The parts of an email that identify the conversation that it belongs to. */
interface ReceivedReply {
  from: MailAddress;
  recipients: string[];
  answeredIds: string[];
}

const readThread = async (id_project: string, request_id: string): Promise<AnsweredConversation | null> => {
  const fields = { 'snapshot.lead.lead_id': 1, 'snapshot.lead.email': 1 } as const;
  const found = await Conversation.findOne({ id_project, request_id }, fields).lean<{
    snapshot?: { lead?: AnsweredConversation['lead'] };
  }>();
  const lead = found?.snapshot?.lead;
  return lead ? { request_id, lead } : null;
};

const findBySignedAddress = async (id_project: string, recipients: string[]): Promise<AnsweredConversation | null> => {
  for (const address of recipients.slice(0, MAX_ADDRESSES)) {
    const request_id = await conversationOfAddress(id_project, address);
    if (request_id) return readThread(id_project, request_id);
  }
  return null;
};

/**
 * Finds the conversation of an email that the received email answers. The sender must be the other party to the
 * answered email or the lead of its conversation, because anyone can copy a Message-ID.
 */
const findByMessageId = async (
  id_project: string,
  { from, answeredIds }: ReceivedReply,
): Promise<AnsweredConversation | null> => {
  for (const { request_id, address } of await findMails(id_project, answeredIds)) {
    const thread = await readThread(id_project, request_id);
    if (thread && [address, thread.lead.email].some((known) => known?.toLowerCase() === from.address)) return thread;
  }
  return null;
};

/**
 * Returns the conversation of an email: the one whose signed reply address the email was sent to, or that of the email
 * that it answers. Returns null for an email that begins a conversation.
 */
export const findThread = async (id_project: string, mail: ReceivedReply): Promise<AnsweredConversation | null> =>
  (await findBySignedAddress(id_project, mail.recipients)) ?? findByMessageId(id_project, mail);
