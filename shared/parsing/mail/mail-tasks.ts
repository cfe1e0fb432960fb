/** The task and the output of the thread that parses mails: plain data, since it crosses threads. */

/** A received mail in a file, and the folder for the files of its attachments. */
export interface MailTask {
  file: string;
  folder: string;
}

/** A person or program in a header of a mail. */
export interface MailAddress {
  name: string;
  /** In lower case. */
  address: string;
}

/** An attachment or picture of a mail. */
export interface MailAttachment {
  name: string;
  /** The declared media type. */
  type: string;
  size: number;
  /** SHA-256. */
  hash: string;
  /** The local file. */
  path: string;
}

/** The result of a delivery, as a mail server reports it for one recipient. */
export interface DeliveryStatus {
  /** In lower case. */
  recipients: string[];
  /** An enhanced status code, such as 5.1.1. */
  status: string;
  isFailed: boolean;
}

/** A parsed mail. */
export interface ParsedMail {
  from?: MailAddress;
  /** All addresses that the mail was sent to, in lower case. */
  recipients: string[];
  subject: string;
  /** In angle brackets, as the ids below. */
  messageId?: string;
  /** The ids in `In-Reply-To`, then those in `References`, the latest first. */
  answeredIds: string[];
  /** What the author wrote: without quoted mails and, in a reply, without the signature. */
  text: string;
  /** The header that says that a program sent the mail; undefined for a mail of a person. */
  automaticBy?: string;
  /** The project that sent the mail, as its header says. */
  sendingProject?: string;
  deliveryReport?: {
    statuses: DeliveryStatus[];
    /** The Message-IDs in the returned mail. */
    returnedIds: string[];
  };
  attachments: MailAttachment[];
}

/** The output of the thread: the mail, or an error of the disk. */
export type MailOutput = { mail: ParsedMail } | { systemError: { code: string; message: string } };
