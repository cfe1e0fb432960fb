/** Received emails. */
import type { MailAddress, ParsedMail } from '../../parsing/mail/mail-tasks.ts';

/** The addresses of the SMTP session in which an email arrived. */
export interface Envelope {
  sender?: string;
  recipients: string[];
}

/** A received email in a local file. */
export interface InboundMail extends Envelope {
  path: string;
  hash: string;
}

/** A parsed email with a sender and an id. */
export interface PersonalMail extends ParsedMail {
  from: MailAddress;
  messageId: string;
}
