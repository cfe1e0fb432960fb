/**
 * Delivers emails through the SMTP server of their project or the one at `SMTP_URL`. Emails that must not be sent, or
 * for which there is no server, are written to the `outbox` folder in `DATA_DIR`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentMessageInfo } from 'nodemailer';
import type { Options } from 'nodemailer/lib/smtp-transport';
import { config } from '../config.ts';
import { logger } from '../logger.ts';
import { checkedSmtpOptions, type SmtpServer, withOpenConnection } from './guarded-smtp.ts';
import { publicUrl } from './links.ts';
import type { MailText } from './mail-text.ts';

/** Loads `nodemailer` when it is first needed, because most processes deliver no emails. */
const loadMailer = () => import('nodemailer');

const TIMEOUT_MS = 15_000;
const TIMEOUTS = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };

/** The Message-IDs that connect an email to earlier emails. */
export interface MailThread {
  inReplyTo?: string;
  references?: string[];
}

/** An email ready for delivery. `id` is the same in every attempt. */
export interface OutgoingMail extends MailText {
  id: string;
  to: string;
  /** Whether the email must only be written to the outbox folder, never sent. */
  outbox: boolean;
  /** The default is the sender of the instance. */
  from?: { name: string; address: string };
  html?: string;
  headers?: Record<string, string>;
  thread?: MailThread;
  /** Whether a person wrote the text. Other emails have the header `Auto-Submitted: auto-generated`. */
  isPersonal?: boolean;
}

const senderHost = (): string => {
  const { hostname } = new URL(publicUrl());
  return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
};

/** Returns the Message-ID of the email whose record has the given id. */
export const messageIdOf = (mail: string): string => `<${mail}@${senderHost()}>`;

/** Returns the record id in a Message-ID; null if the Message-ID is not in the format that `messageIdOf` produces. */
export const mailOfMessageId = (messageId: string): string | null =>
  /^<([0-9a-f]{24})@[^<>@\s]+>$/.exec(messageId)?.[1] ?? null;

export const instanceSender = (): { name: string; address: string } => {
  const [, name = '', address = ''] =
    /^(?:(.*) )?<?([^<>]+)>?$/.exec(config.MAIL_FROM ?? `no-reply@${senderHost()}`) ?? [];
  return { name, address };
};

const smtpMessage = ({ id, to, subject, text, html, replyTo, from, headers, thread, isPersonal }: OutgoingMail) => ({
  from: from ?? instanceSender(),
  // An address object, so that a recipient that contains a comma is not parsed as a list of addresses.
  to: { name: '', address: to },
  subject,
  text,
  ...(html !== undefined && { html }),
  ...(replyTo && { replyTo: { name: '', address: replyTo } }),
  ...thread,
  messageId: messageIdOf(id),
  headers: { ...headers, ...(!isPersonal && { 'Auto-Submitted': 'auto-generated' }) },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Writes an email to the outbox folder. */
export const writeToOutbox = async (mail: OutgoingMail): Promise<void> => {
  const folder = join(config.DATA_DIR, 'outbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { createTransport } = await loadMailer();
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(smtpMessage(mail));
  const file = join(folder, `${mail.id}.eml`);
  await writeFile(file, message as Buffer, { mode: 0o600 });
  logger.info({ file, subject: mail.subject }, 'email written to the outbox folder, not sent');
};

/** Whether an email goes to the outbox folder, because it must not be sent or no server can send it. */
export const isForOutbox = (mail: OutgoingMail, server?: SmtpServer): boolean =>
  mail.outbox || !(server ?? config.SMTP_URL);

/** An email with its SMTP server, as plain data, so that another process can send it. */
export interface SmtpDelivery {
  message: ReturnType<typeof smtpMessage>;
  /** The URL of the instance's server, or the checked options of a project's own server. */
  server: { url: string } | { options: Options };
}

/**
 * Prepares an email for `server`, by default the server at `SMTP_URL`. Throws if a project's server has no address, or
 * if its address or port is forbidden.
 */
export const prepareDelivery = async (mail: OutgoingMail, server?: SmtpServer): Promise<SmtpDelivery> => ({
  message: smtpMessage(mail),
  server: server ? { options: await checkedSmtpOptions(server) } : { url: config.SMTP_URL as string },
});

/** Sends an email and returns the server's reply. Throws errors from the server or the network. */
export const sendOverSmtp = async ({ message, server }: SmtpDelivery): Promise<SentMessageInfo> => {
  const options = 'options' in server ? await withOpenConnection(server.options) : server;
  const { createTransport } = await loadMailer();
  const transport = createTransport({ ...options, ...TIMEOUTS });
  try {
    return await transport.sendMail(message);
  } finally {
    transport.close();
  }
};

/**
 * Whether an error comes from the SMTP server, the network or the outbox folder. Such errors have a string `code`.
 */
export const isDeliveryError = (error: unknown): boolean => typeof (error as { code?: unknown }).code === 'string';

/** A delivery failure, without any text from the email. */
export interface DeliveryFailure {
  reason: string;
  /** Whether a retry is pointless. */
  isFinal: boolean;
  /** Whether the server rejects this email. If not, the server (or the outbox folder) cannot be used at all. */
  rejectsMail: boolean;
  /** Whether the server reports that the recipient does not exist. */
  rejectsRecipient: boolean;
}

/** Enhanced status codes (RFC 3463) of rejections that are due not to a wrong address but to, say, a full mailbox. */
const OTHER_REJECTION = /\b5\.(2\.[23]|3\.\d+|5\.\d+|6\.\d+|7\.\d+)\b/;
const UNKNOWN_RECIPIENT_CODES = new Set([550, 551, 553]);

/** Whether an enhanced status code means that an address does not exist. */
export const isWrongAddress = (status: string): boolean => status.startsWith('5.') && !OTHER_REJECTION.test(status);

/** Converts a delivery error to a `DeliveryFailure`. */
export const deliveryFailure = (error: unknown): DeliveryFailure => {
  const {
    code = 'INTERNAL',
    responseCode = 0,
    response = '',
    command = '',
  } = error as Record<string, string> & {
    responseCode?: number;
  };
  const rejectsMail = responseCode > 0 && ['EENVELOPE', 'EMESSAGE'].includes(code);
  return {
    reason: [code, responseCode || ''].join(' ').trim(),
    // A failure is final only if the server rejects this email. A rejected sign-in or greeting points to wrong SMTP
    // settings, which may be corrected.
    isFinal: responseCode >= 500 && rejectsMail,
    rejectsMail,
    // Only `RCPT TO` concerns the recipient: the server may also reject the envelope because of the sender.
    rejectsRecipient:
      command === 'RCPT TO' && UNKNOWN_RECIPIENT_CODES.has(responseCode) && !OTHER_REJECTION.test(response),
  };
};
