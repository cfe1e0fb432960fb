/** Delivering a mail: to the server of `SMTP_URL`; without one, or where the mail is confined to it, into the folder `outbox` of `DATA_DIR`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { config } from '../config.ts';
import { logger } from '../logger.ts';
import { clientsUrl } from './links.ts';
import type { Text } from './words.ts';

const TIMEOUT_MS = 15_000;
const TIMEOUTS = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };

/** A mail as it goes out; `id` stays the same however often it is tried. */
export interface Letter extends Text {
  id: string;
  to: string;
  /** It may only go to the outbox folder. */
  outbox: boolean;
}

const host = (): string => {
  const { hostname } = new URL(clientsUrl());
  return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
};

const messageOf = ({ id, to, subject, text, replyTo }: Letter) => ({
  from: config.MAIL_FROM ?? `no-reply@${host()}`,
  // An address and never a list or a name with one in it.
  to: { name: '', address: to },
  subject,
  text,
  ...(replyTo && { replyTo: { name: '', address: replyTo } }),
  messageId: `<${id}@${host()}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

const toFolder = async (letter: Letter): Promise<void> => {
  const folder = join(config.DATA_DIR, 'outbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(messageOf(letter));
  const file = join(folder, `${letter.id}.eml`);
  await writeFile(file, message as Buffer, { mode: 0o600 });
  logger.info({ file, subject: letter.subject }, 'mail written to the outbox folder, not sent');
};

/** Deliver a mail; throws what the server or the network has against it. */
export const deliver = async (letter: Letter): Promise<void> => {
  if (!config.SMTP_URL || letter.outbox) return toFolder(letter);
  const transport = createTransport({ url: config.SMTP_URL, ...TIMEOUTS });
  try {
    await transport.sendMail(messageOf(letter));
  } finally {
    transport.close();
  }
};

/** True for what servers and networks do to mails. */
export const isOfMail = (error: unknown): boolean => typeof (error as { code?: unknown }).code === 'string';

/** Why a delivery failed, without a word of the mail, and whether another try is in vain. */
export const failureOf = (error: unknown): { reason: string; final: boolean } => {
  const { code = 'INTERNAL', responseCode = 0 } = error as { code?: string; responseCode?: number };
  return {
    reason: [code, responseCode || ''].join(' ').trim(),
    // Only what is said of this very mail; a refused sign-in or greeting is ours to mend.
    final: responseCode >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(code),
  };
};
