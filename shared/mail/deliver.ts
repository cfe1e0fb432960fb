/**
 * Delivers mails over the SMTP server of `SMTP_URL`. Without a server, and for mails that may not be sent, writes them
 * to the folder `outbox` in `DATA_DIR`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { config } from '../config.ts';
import { logger } from '../logger.ts';
import { publicUrl } from './links.ts';
import type { MailText } from './mail-text.ts';

const TIMEOUT_MS = 15_000;
const TIMEOUTS = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };

/** A mail ready for delivery. `id` is the same in every attempt. */
export interface OutgoingMail extends MailText {
  id: string;
  to: string;
  /** Whether the mail may only be written to the outbox folder, never sent. */
  outbox: boolean;
}

const senderHost = (): string => {
  const { hostname } = new URL(publicUrl());
  return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
};

const smtpMessage = ({ id, to, subject, text, replyTo }: OutgoingMail) => ({
  from: config.MAIL_FROM ?? `no-reply@${senderHost()}`,
  // An address object, so that the text cannot be parsed as a list of addresses.
  to: { name: '', address: to },
  subject,
  text,
  ...(replyTo && { replyTo: { name: '', address: replyTo } }),
  messageId: `<${id}@${senderHost()}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

const writeToOutbox = async (mail: OutgoingMail): Promise<void> => {
  const folder = join(config.DATA_DIR, 'outbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(smtpMessage(mail));
  const file = join(folder, `${mail.id}.eml`);
  await writeFile(file, message as Buffer, { mode: 0o600 });
  logger.info({ file, subject: mail.subject }, 'mail written to the outbox folder, not sent');
};

/** Delivers a mail. Throws the error of the SMTP server or the network. */
export const deliver = async (mail: OutgoingMail): Promise<void> => {
  if (!config.SMTP_URL || mail.outbox) return writeToOutbox(mail);
  const transport = createTransport({ url: config.SMTP_URL, ...TIMEOUTS });
  try {
    await transport.sendMail(smtpMessage(mail));
  } finally {
    transport.close();
  }
};

/**
 * Whether an error is one of delivery: of the SMTP server, the network or the outbox folder. These have a text code.
 */
export const isDeliveryError = (error: unknown): boolean => typeof (error as { code?: unknown }).code === 'string';

/** The reason of a delivery failure, without any text of the mail, and whether a retry is pointless. */
export const deliveryFailure = (error: unknown): { reason: string; isFinal: boolean } => {
  const { code = 'INTERNAL', responseCode = 0 } = error as { code?: string; responseCode?: number };
  return {
    reason: [code, responseCode || ''].join(' ').trim(),
    // Final only if the server rejects this mail. A rejected sign-in or greeting is an error of the configuration.
    isFinal: responseCode >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(code),
  };
};
