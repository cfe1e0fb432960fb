/**
 * Turns a received email into a conversation or into a message in an existing one. An email that arrives again has no
 * further effect: it is recognized by its Message-ID.
 */
import { hash } from 'node:crypto';
import { runExclusive } from '../../concurrency/keyed-mutex.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { oneLine } from '../../mail/mail-text.ts';
import { CONVERSATION_STATUS } from '../../models/conversation.ts';
import { parseMailFile } from '../../parsing/mail/mail-pool.ts';
import { withTemporaryFolder } from '../../storage/incoming.ts';
import type { ConversationKey } from '../conversations/conversation.ts';
import { reopen } from '../conversations/lifecycle/close.ts';
import { post } from '../conversations/posting/post-message.ts';
import { findMails, recordMail } from '../mails/mail-threads.ts';
import { buildContent } from './mail-content.ts';
import { blockReturnedAddresses } from './returned-mails.ts';
import { findSender, isBanned, type MailSender } from './senders.ts';
import { reasonToIgnore } from './ignored-mails.ts';
import type { Envelope, InboundMail, PersonalMail } from './inbound-mail.ts';
import { findThread, type AnsweredConversation } from './threads.ts';

/** What a received email led to; `returned` for a delivery report about an email of the project. */
export interface ReceivedMail {
  result: 'conversation' | 'message' | 'duplicate' | 'returned' | 'ignored';
  /** Why the email was ignored: a program sent it, this system sent it (`own`), or the sender is banned. */
  reason?: 'automatic' | 'own' | 'banned';
  request_id?: string;
  message_id?: string;
}

const ID_DIGITS = 32;

/** Returns a hash of the Message-ID, which is the same each time the email arrives. */
const idOf = ({ messageId }: PersonalMail): string => hash('sha256', messageId).slice(0, ID_DIGITS);

const newConversation = (id_project: string, mail: PersonalMail): ConversationKey => ({
  id_project,
  request_id: `support-group-${id_project}-${idOf(mail)}`,
});

const postMail = async (key: ConversationKey, mail: PersonalMail, sender: MailSender) => {
  const content = await buildContent(key.id_project, mail, sender.actor);
  const subject = oneLine(mail.subject);
  const incoming = {
    ...content,
    channel: { name: 'email' },
    client_message_id: `mail-${idOf(mail)}`,
    ...(subject && { subject }),
    ...(sender.email && { email: sender.email }),
  };
  const { message, request } = await post(key, incoming, sender.actor);
  if (request.status === CONVERSATION_STATUS.closed) await reopen(key);
  return String(message._id);
};

/** Posts an email to its conversation, or opens a new conversation, unless the sender is banned. */
const postToThread = async (
  id_project: string,
  mail: PersonalMail,
  thread: AnsweredConversation | null,
): Promise<ReceivedMail> => {
  const key = thread ? { id_project, request_id: thread.request_id } : newConversation(id_project, mail);
  const sender = await findSender(id_project, mail.from, thread);
  if (await isBanned(id_project, sender.actor.id)) return { result: 'ignored', reason: 'banned' };
  const message_id = await postMail(key, mail, sender);
  const { request_id } = key;
  const record = { id_project, messageIdHeader: mail.messageId, request_id, direction: 'in' as const };
  await recordMail({ ...record, address: mail.from.address, subject: mail.subject });
  return { result: thread ? 'message' : 'conversation', request_id, message_id };
};

const receiveParsed = async (id_project: string, mail: PersonalMail, envelope: Envelope): Promise<ReceivedMail> => {
  if (mail.deliveryReport && (await blockReturnedAddresses(id_project, mail.deliveryReport)))
    return { result: 'returned' };
  const reason = await reasonToIgnore(id_project, mail, envelope);
  if (reason) return { result: 'ignored', reason };
  const [known] = await findMails(id_project, [mail.messageId]);
  if (known) return { result: 'duplicate', request_id: known.request_id };
  const recipients = [...envelope.recipients, ...mail.recipients];
  return postToThread(id_project, mail, await findThread(id_project, { ...mail, recipients }));
};

const senderMissing = () =>
  new AppError(422, 'MAIL_WITHOUT_SENDER', 'The From header of the email is missing or has no email address');

/**
 * Receives an email. Errors: 413 if the conversation has reached its maximum size, 422 if the email has no sender, is
 * malformed or takes too long to parse, 429 if the sender or the project has reached a limit.
 */
export const receiveMail = (id_project: string, { path, hash: digest, ...envelope }: InboundMail) =>
  withTemporaryFolder(async (folder): Promise<ReceivedMail> => {
    const parsed = await parseMailFile({ file: path, folder });
    const { from, messageId = `<${digest}>` } = parsed;
    if (!from) throw senderMissing();
    const mail = { ...parsed, from, messageId };
    const received = await runExclusive(`mail ${id_project} ${messageId}`, () =>
      receiveParsed(id_project, mail, envelope),
    );
    logger.info({ project: id_project, mail: messageId, header: mail.automaticBy, ...received }, 'mail received');
    return received;
  });
