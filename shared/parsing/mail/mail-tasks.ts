/**
 * The task and the output of the thread that parses emails. They are plain data, so that threads can exchange them.
 */

/** A received email in a file, and the folder for the files of its attachments. */
export interface MailTask {
  file: string;
  folder: string;
}

/** A person or program in a header of an email. */
export interface MailAddress {
  name: string;
  /** In lower case. */
  address: string;
}

/** An attachment to an email, or an image in it. */
export interface MailAttachment {
  name: string;
  /** The declared media type. */
  type: string;
  size: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  hash: string;
  /** The path of the local file with the content. */
  path: string;
}

/** The result of delivering an email, as a mail server reports it for one recipient. */
export interface DeliveryStatus {
  /** The original and the final address of the recipient, in lower case. */
  recipients: string[];
  /** An enhanced status code, such as 5.1.1. */
  status: string;
  isFailed: boolean;
}

/** A parsed email. */
export interface ParsedMail {
  from?: MailAddress;
  /** All addresses that the email was sent to, in lower case. */
  recipients: string[];
  subject: string;
  /** In angle brackets, like the ids below. */
  messageId?: string;
  /** The ids in `In-Reply-To`, then those in `References`, the latest first. */
  answeredIds: string[];
  /** The author's own text. In a reply, it excludes quoted emails and the signature. */
  text: string;
  /** The name of the header that shows that a program sent the email; undefined if a person sent it. */
  automaticBy?: string;
  /** The id of the project that a header of the email names as the sender. */
  sendingProject?: string;
  deliveryReport?: {
    statuses: DeliveryStatus[];
    /** The Message-IDs in the returned email. */
    returnedIds: string[];
  };
  attachments: MailAttachment[];
}

/** The output of the thread: the email, or a disk error. */
export type MailOutput = { mail: ParsedMail } | { systemError: { code: string; message: string } };
