/** Converts messages to the lines of a transcript. */
import { notFound } from '#shared/errors.ts';
import { SYSTEM_SENDER } from '#shared/models/message.ts';

/** The fields of a message that transcripts use. */
export interface TranscriptMessage {
  sender: string;
  senderFullname?: string | null;
  text?: string | null;
  type: string;
  metadata?: unknown;
  createdAt: Date;
}

/** One message of a transcript; `createdAt` is formatted in the reader's time zone. */
export interface TranscriptLine {
  createdAt: string;
  senderFullname: string;
  text: string;
}

/** Which messages a transcript contains. */
export interface LineSelection {
  includesSystem: boolean;
  /** Whether the transcript includes the opening text that chat clients send automatically. */
  includesOpener: boolean;
  /** Whether earlier messages are omitted. If so, the first line is a notice. */
  isCut?: boolean;
}

const CUT_NOTICE = { senderFullname: 'Transcript', text: 'Earlier messages are omitted.' };

const CLIENT_OPENERS = new Set(['welcome', '/start']);

/** Returns a function that formats times in a time zone, for example as `2026-11-22 03:05:00`. */
const timeFormatter = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (date: Date): string => format.format(date);
};

const messageText = ({ text, type, metadata }: TranscriptMessage): string => {
  const { src } = (metadata ?? {}) as { src?: unknown };
  return text || (typeof src === 'string' ? `[${type}] ${src}` : `[${type}]`);
};

/** Yields the lines of the selected messages. Only the first message can be an opening text (see `LineSelection`). */
export async function* toTranscriptLines(
  messages: AsyncIterable<TranscriptMessage> | TranscriptMessage[],
  selection: LineSelection,
  zone: string,
): AsyncGenerator<TranscriptLine> {
  const formatTime = timeFormatter(zone);
  let isFirst = true;
  for await (const message of messages) {
    const { sender, senderFullname, createdAt } = message;
    if (sender === SYSTEM_SENDER.sender && !selection.includesSystem) continue;
    if (isFirst && selection.isCut) yield { createdAt: formatTime(createdAt), ...CUT_NOTICE };
    const isOpener = isFirst && CLIENT_OPENERS.has(message.text ?? '');
    isFirst = false;
    if (isOpener && !selection.includesOpener) continue;
    yield { createdAt: formatTime(createdAt), senderFullname: senderFullname || sender, text: messageText(message) };
  }
}

/** Yields the lines of a transcript without system messages (`messages-user`); throws 404 if there are none. */
export async function* requireLines(lines: AsyncIterable<TranscriptLine>): AsyncGenerator<TranscriptLine> {
  let isEmpty = true;
  for await (const line of lines) {
    isEmpty = false;
    yield line;
  }
  if (isEmpty)
    throw notFound(
      'This transcript has no messages; it leaves out system messages and, except as txt, the opening text of the client',
    );
}
