/**
 * Threads of mails: the headers and addresses that lead a reply back to its conversation.
 */
import { config } from '../../config.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import type { MailThread } from '../../mail/deliver.ts';
import { oneLine } from '../../mail/mail-text.ts';
import { MailMessage } from '../../models/mail-message.ts';

const MAX_REFERENCES = 10;
/** A `request_id` that can be the local part of an address as it is. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const ENCODED_PREFIX = 'id-';

/** A mail of a conversation. */
interface ThreadedMail {
  id_project: string;
  message_id: string;
  request_id: string;
  direction: 'in' | 'out';
  address: string;
  subject?: string;
}

/** Records a mail of a conversation. Returns false if its Message-ID is known. */
export const recordMail = (mail: ThreadedMail): Promise<boolean> =>
  insertIfAbsent(() => MailMessage.create([{ ...mail, subject: oneLine(mail.subject ?? '') }]));

/** Returns the headers that connect a new mail to the mails of its conversation. */
export const threadOf = async (key: { id_project: string; request_id: string }): Promise<MailThread> => {
  const mails = await MailMessage.find(key, { message_id: 1, direction: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_REFERENCES)
    .lean();
  const last = mails.find(({ direction }) => direction === 'in') ?? mails[0];
  if (!last) return {};
  return { inReplyTo: last.message_id, references: mails.map(({ message_id }) => message_id).toReversed() };
};

/**
 * Returns the address that leads replies to a conversation; undefined without `EMAIL_INBOUND_DOMAIN`. Its local part is
 * the `request_id`, or the hexadecimal form of one with other characters.
 */
export const replyAddress = (request_id: string): string | undefined => {
  const domain = config.EMAIL_INBOUND_DOMAIN;
  const isPlain = LOCAL_PART.test(request_id) && !request_id.startsWith(ENCODED_PREFIX);
  const local = isPlain ? request_id : `${ENCODED_PREFIX}${Buffer.from(request_id).toString('hex')}`;
  return domain && `${local}@${domain}`;
};
