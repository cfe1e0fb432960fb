/** Builds the transcript of a closed conversation as one string. It is built for each read, and is not stored. */
import type { Types } from 'mongoose';
import { readEach } from '../../../database/raw-read.ts';
import { CONVERSATION_STATUS } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import type { ConversationKey } from '../conversation.ts';
import { STREAM_BATCH_SIZE, withoutRemoved } from '../messages/message-pages.ts';
import { messagesOf, NOT_PRIVATE } from '../messages/messages.ts';

const MAX_MESSAGES = 1000;
/** Limits the size of the response that contains the transcript. */
const MAX_CHARACTERS = 500_000;
const CUT_NOTICE = '(Earlier messages are omitted.)';
const TRANSCRIPT_FIELDS = { _id: 1, text: 1, type: 1, senderFullname: 1, sender: 1, createdAt: 1 } as const;

interface TranscriptMessage {
  _id: Types.ObjectId;
  text?: string | null;
  type: string;
  sender: string;
  senderFullname?: string | null;
  createdAt: Date;
}

const transcriptLine = ({ createdAt, senderFullname, sender, text, type }: TranscriptMessage): string =>
  `${createdAt.toISOString()} ${senderFullname || sender}: ${(text || type).replace(/\s*[\r\n]+\s*/g, ' ')}`;

const readTranscript = async (key: ConversationKey, filter: object): Promise<string> => {
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  const page = { fields: TRANSCRIPT_FIELDS, sort: newestFirst, limit: MAX_MESSAGES + 1, batchSize: STREAM_BATCH_SIZE };
  const lines: string[] = [];
  let remainingCharacters = MAX_CHARACTERS;
  const messages = await withoutRemoved({ ...messagesOf(key), ...filter });
  for await (const message of readEach(Message, messages, page)) {
    const line = transcriptLine(message as TranscriptMessage);
    remainingCharacters -= line.length;
    if (remainingCharacters < 0 || lines.length === MAX_MESSAGES) {
      lines.push(CUT_NOTICE);
      break;
    }
    lines.push(line);
  }
  return lines.toReversed().join('\n');
};

const addTranscript = async <R extends ConversationKey & { status: number }>(request: R, filter: object) =>
  request.status === CONVERSATION_STATUS.closed
    ? { ...request, transcript: await readTranscript(request, filter) }
    : request;

/**
 * Adds a `transcript` to a closed conversation. It contains the newest messages, at most 1,000 messages and 500,000
 * characters. Each line contains the time (in UTC), the sender name and the text of one message.
 */
export const withTranscript = <R extends ConversationKey & { status: number }>(request: R) =>
  addTranscript(request, {});

/** Like `withTranscript`, but without private messages between teammates. */
export const withVisitorTranscript = <R extends ConversationKey & { status: number }>(request: R) =>
  addTranscript(request, NOT_PRIVATE);
