/** Builds a message from a received email: its text, and its attachments as files. */
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { publicUrl } from '../../mail/links.ts';
import { oneLine } from '../../mail/mail-text.ts';
import type { MailAttachment } from '../../parsing/mail/mail-tasks.ts';
import type { Actor } from '../conversations/conversation.ts';
import { uploadChatFile } from '../files/upload-file.ts';
import type { PersonalMail } from './inbound-mail.ts';

const MAX_TEXT_CHARACTERS = 32_000;
const MAX_ATTACHMENTS = 20;
const MAX_ID_CHARACTERS = 300;

/** An attachment that was stored, or one that was refused, with the reason. */
type StoredAttachment = { name: string; type: string; size: number; path: string } | { name: string; error: string };

const refusedAttachment = (name: string, error: string): StoredAttachment => ({
  name: oneLine(name),
  error: oneLine(error),
});

/**
 * Stores an attachment under the rules for chat files. Throws only if the storage fails; the mail server then delivers
 * the email again.
 */
const storeAttachment = async (
  id_project: string,
  attachment: MailAttachment,
  uploader: Actor,
): Promise<StoredAttachment> => {
  const { name, type, size } = attachment;
  if (size > config.MAX_UPLOAD_FILE_SIZE)
    return refusedAttachment(name, `it has more than ${config.MAX_UPLOAD_FILE_SIZE} bytes`);
  try {
    const { path } = await uploadChatFile(id_project, attachment, uploader);
    return { name: path.slice(path.lastIndexOf('/') + 1), type, size, path };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return refusedAttachment(name, error.message);
  }
};

const attachmentLine = (attachment: StoredAttachment): string =>
  'path' in attachment
    ? `- ${attachment.name}: ${publicUrl()}/v3/files?path=${encodeURIComponent(attachment.path)}`
    : `- ${attachment.name} was not stored: ${attachment.error}`;

const listAttachments = (attachments: StoredAttachment[], total: number): string[] => {
  if (!total) return [];
  const more = total - attachments.length;
  const lines = ['Attachments:', ...attachments.map(attachmentLine)];
  return more
    ? [...lines, `- Not stored: ${more} more, because an email may have at most ${MAX_ATTACHMENTS} attachments`]
    : lines;
};

const CUT_NOTE = '[The text of the email was cut here.]';

const shorten = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - CUT_NOTE.length - 1)}\n${CUT_NOTE}`;

/** Returns the text of an email, followed by its attachments; for an empty email, its subject. */
const messageText = ({ text, subject }: PersonalMail, attachmentLines: string[]): string => {
  const list = attachmentLines.join('\n');
  const own = shorten(text, MAX_TEXT_CHARACTERS - list.length - 2);
  return [own, list].filter(Boolean).join('\n\n') || oneLine(subject) || '(no text)';
};

/** Stores the attachments of an email and returns the text and metadata of its message. */
export const buildContent = async (id_project: string, mail: PersonalMail, uploader: Actor) => {
  const attachments: StoredAttachment[] = [];
  for (const each of mail.attachments.slice(0, MAX_ATTACHMENTS))
    attachments.push(await storeAttachment(id_project, each, uploader));
  const { from, messageId, subject } = mail;
  return {
    text: messageText(mail, listAttachments(attachments, mail.attachments.length)),
    metadata: {
      mail: {
        message_id: messageId.slice(0, MAX_ID_CHARACTERS),
        from: { name: oneLine(from.name), address: oneLine(from.address) },
        subject: oneLine(subject),
        attachments,
      },
    },
  };
};
