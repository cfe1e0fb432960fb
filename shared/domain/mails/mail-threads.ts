/** Mail threads: the headers that connect replies to their conversation. */
import { insertIfAbsent } from '../../database/unique-keys.ts';
import type { MailThread } from '../../mail/deliver.ts';
import { oneLine } from '../../mail/mail-text.ts';
import { MailMessage } from '../../models/mail-message.ts';

const MAX_REFERENCES = 10;

/** An email of a conversation, as it is stored. */
interface ThreadedMail {
  id_project: string;
  /** The value of the Message-ID header. */
  message_id: string;
  request_id: string;
  direction: 'in' | 'out';
  address: string;
  subject?: string;
}

/** An email to record as part of a conversation. */
interface NewThreadedMail extends Omit<ThreadedMail, 'message_id'> {
  /** The value of the Message-ID header. */
  messageIdHeader: string;
}

/** Records an email of a conversation. Returns false if its Message-ID is already recorded. */
export const recordMail = ({ messageIdHeader: message_id, subject = '', ...mail }: NewThreadedMail): Promise<boolean> =>
  insertIfAbsent(() => MailMessage.create([{ ...mail, message_id, subject: oneLine(subject) }]));

/** Returns the headers that connect a new email to the emails of its conversation. */
export const threadOf = async (key: { id_project: string; request_id: string }): Promise<MailThread> => {
  const mails = await MailMessage.find(key, { message_id: 1, direction: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_REFERENCES)
    .lean();
  const last = mails.find(({ direction }) => direction === 'in') ?? mails[0];
  if (!last) return {};
  return { inReplyTo: last.message_id, references: mails.map(({ message_id }) => message_id).toReversed() };
};

/** Returns the recorded emails with one of these Message-IDs, in the order of the ids. */
export const findMails = async (id_project: string, ids: string[]): Promise<ThreadedMail[]> => {
  const fields = { id_project: 1, message_id: 1, request_id: 1, direction: 1, address: 1 } as const;
  const found = ids.length
    ? await MailMessage.find({ id_project, message_id: { $in: ids } }, fields).lean<ThreadedMail[]>()
    : [];
  return found.toSorted((one, other) => ids.indexOf(one.message_id) - ids.indexOf(other.message_id));
};
