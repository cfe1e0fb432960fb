/** The inputs from which conversations and messages are created. */

/** The sender name of a message whose sender has no known name. */
export const DEFAULT_SENDER_NAME = 'Guest';

/** The sender of a first message, as the caller provides it. */
export interface SenderFields {
  /** The id of the user or visitor who opens the conversation. Default: the caller. */
  sender?: string;
  senderFullname?: string;
  email?: string;
}

/** The input that opens a conversation. */
export interface NewConversation extends SenderFields {
  first_text: string;
  department?: string;
  subject?: string;
  sourcePage?: string;
  language?: string;
  userAgent?: string;
  priority?: string;
  channel?: { name: string };
  location?: Record<string, unknown>;
  /** The caller's IP address. It is used to locate a visitor, and is not stored. */
  address?: string;
  attributes?: Record<string, unknown>;
  participants?: string[];
  followers?: string[];
  preflight?: boolean;
  request_status?: number;
}

/**
 * A message as a client sends it. The fields of a conversation, such as `department`, have an effect only in its first
 * message.
 */
export interface IncomingMessage extends Omit<NewConversation, 'first_text'> {
  text?: string;
  type?: string;
  metadata?: Record<string, unknown>;
  status?: number;
  /** An id chosen by the client. Posting the same id again in a conversation returns the stored message. */
  client_message_id?: string;
}
