/** What was said, as the lines of a transcript (contract b 1.21). */
import { notFound } from '#shared/errors.ts';
import { SYSTEM } from '#shared/models/message.ts';

/** A message as far as transcripts read it. */
export interface Said {
  sender: string;
  senderFullname?: string | null;
  text?: string | null;
  type: string;
  metadata?: unknown;
  createdAt: Date;
}

/** Somebody's words, and when by the clock of the reader. */
export interface Line {
  createdAt: string;
  senderFullname: string;
  text: string;
}

/** Which messages stand in a transcript. */
export interface Kept {
  system: boolean;
  /** The words with which a client begins a conversation by itself. */
  opener: boolean;
  /** Earlier messages are left out; the first line says so. */
  isCut?: boolean;
}

const CUT = { senderFullname: 'Transcript', text: 'Earlier messages are left out.' };

const OPENERS = new Set(['welcome', '/start']);

/** `2026-11-22 03:05:00`, by the clock of a zone. */
const clockOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (at: Date): string => format.format(at);
};

const wordsOf = ({ text, type, metadata }: Said): string => {
  const { src } = (metadata ?? {}) as { src?: unknown };
  return text || (typeof src === 'string' ? `[${type}] ${src}` : `[${type}]`);
};

/** The lines of those that are kept, one after the other. */
export async function* linesOf(said: AsyncIterable<Said> | Said[], kept: Kept, zone: string): AsyncGenerator<Line> {
  const clock = clockOf(zone);
  let first = true;
  for await (const message of said) {
    const { sender, senderFullname, createdAt } = message;
    if (sender === SYSTEM.sender && !kept.system) continue;
    if (first && kept.isCut) yield { createdAt: clock(createdAt), ...CUT };
    const isOpener = first && OPENERS.has(message.text ?? '');
    first = false;
    if (isOpener && !kept.opener) continue;
    yield { createdAt: clock(createdAt), senderFullname: senderFullname || sender, text: wordsOf(message) };
  }
}

/** The same lines; 404 where there is none. */
export async function* someOf(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let empty = true;
  for await (const line of lines) {
    empty = false;
    yield line;
  }
  if (empty) throw notFound('Nobody has said anything in this conversation');
}
