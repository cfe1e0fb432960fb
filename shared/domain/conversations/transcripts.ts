/** What was said in a closed conversation as one text (contract b 2.7): made when it is asked for, so that the record does not grow. */
import type { Types } from 'mongoose';
import { Message } from '../../models/message.ts';
import { REQUEST } from '../../models/request.ts';
import { readEach } from '../../read.ts';
import { AT_ONCE } from './message-pages.ts';
import { NOT_PRIVATE, saidIn } from './messages.ts';
import type { Conversation } from './requests.ts';

const MOST_MESSAGES = 1000;
/** Characters of it: it is a part of one answer. */
const MOST_CHARACTERS = 500_000;
const CUT = '(Earlier messages are left out.)';
const FIELDS = { _id: 1, text: 1, type: 1, senderFullname: 1, sender: 1, createdAt: 1 } as const;

interface Line {
  _id: Types.ObjectId;
  text?: string | null;
  type: string;
  sender: string;
  senderFullname?: string | null;
  createdAt: Date;
}

const lineOf = ({ createdAt, senderFullname, sender, text, type }: Line): string =>
  `${createdAt.toISOString()} ${senderFullname || sender}: ${(text || type).replace(/\s*[\r\n]+\s*/g, ' ')}`;

const transcriptOf = async (where: Conversation, filter: object): Promise<string> => {
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  const page = { fields: FIELDS, sort: newestFirst, limit: MOST_MESSAGES + 1, batch: AT_ONCE };
  const lines: string[] = [];
  let left = MOST_CHARACTERS;
  for await (const message of readEach(Message, { ...saidIn(where), ...filter }, page)) {
    const line = lineOf(message as Line);
    left -= line.length;
    if (left < 0 || lines.length === MOST_MESSAGES) {
      lines.push(CUT);
      break;
    }
    lines.push(line);
  }
  return lines.toReversed().join('\n');
};

const transcribed = async <R extends Conversation & { status: number }>(request: R, filter: object) =>
  request.status === REQUEST.closed ? { ...request, transcript: await transcriptOf(request, filter) } : request;

/** A conversation as the team reads it; a closed one with its newest thousand messages, one a line: time in UTC, name, text. */
export const withTranscript = <R extends Conversation & { status: number }>(request: R) => transcribed(request, {});

/** The same without what is said between teammates (decision 57). */
export const withOwnTranscript = <R extends Conversation & { status: number }>(request: R) =>
  transcribed(request, NOT_PRIVATE);
