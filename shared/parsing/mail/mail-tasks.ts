/**
 * The task and the output of the thread that parses e-mails. They are plain data, so that threads can exchange them.
 */

/** A received e-mail in a file, and the folder for the files of its attachments. */
export interface MailTask {
  file: string;
  folder: string;
}

/** A person or program in a header of an e-mail. */
export interface MailAddress {
  name: string;
  /** In lower case. */
  address: string;
}

/** An attachment or image of an e-mail. */
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

/** A parsed e-mail. */
export interface ParsedMail {
  from?: MailAddress;
  /** All addresses that the e-mail was sent to, in lower case. */
  recipients: string[];
  subject: string;
  /** In angle brackets, like the ids below. */
  messageId?: string;
  /** The ids in `In-Reply-To`, then those in `References`, the latest first. */
  answeredIds: string[];
  /** The author's own text. In a reply, without quoted e-mails and the signature. */
  text: string;
  /** The name of the header that shows that a program sent the e-mail; undefined if a person sent it. */
  automaticBy?: string;
  /** The project that the e-mail's header names as the sender. */
  sendingProject?: string;
  deliveryReport?: {
    statuses: DeliveryStatus[];
    /** The Message-IDs in the returned e-mail. */
    returnedIds: string[];
  };
  attachments: MailAttachment[];
}

/** The output of the thread: the e-mail, or a disk error. */
export type MailOutput = { mail: ParsedMail } | { systemError: { code: string; message: string } };
