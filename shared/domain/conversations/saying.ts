/** What a message is made of, and what it changes in its conversation. */
import { AppError } from '../../errors.ts';
import { isPrivate, MESSAGE } from '../../models/message.ts';
import type { StoredMessage } from './messages.ts';
import type { NewConversation } from './opening.ts';
import { UNNAMED } from './authors.ts';
import { type Change, type Conversation, isTeam, type Speaker, type StoredRequest } from './requests.ts';

/** A message as it comes in; what a conversation is opened with counts in the first one only. */
export interface Said extends Omit<NewConversation, 'first_text'> {
  text?: string;
  type?: string;
  metadata?: Record<string, unknown>;
  status?: number;
  /** The client's own name of the message; a second one of that name in a conversation is the same message. */
  client_message_id?: string;
}

/** A message, where it is said and by whom. */
interface Saying {
  where: Conversation;
  said: Said;
  by: Speaker;
}

/** The message as it is stored, of this moment unless told otherwise. */
export const compose = (
  { where, said, by }: Saying,
  { _id, createdBy, at = new Date() }: { _id: string; createdBy: string; at?: Date },
): StoredMessage => ({
  _id,
  id_project: where.id_project,
  recipient: where.request_id,
  sender: said.sender ?? by.id,
  senderFullname: said.senderFullname ?? by.fullname ?? UNNAMED,
  text: said.text,
  type: said.type ?? 'text',
  metadata: said.metadata,
  attributes: said.attributes,
  language: said.language,
  channel: { name: said.channel?.name ?? 'chat21' },
  channel_type: 'group',
  status: said.status ?? MESSAGE.sending,
  client_message_id: said.client_message_id,
  createdBy,
  createdAt: at,
  updatedAt: at,
  __v: 0,
});

/** The first answer of a human: what a visitor waited for (decision 19). A word between teammates is none. */
const isAnswer = (request: StoredRequest, { sender, attributes }: StoredMessage, by: Speaker): boolean =>
  request.waiting_time == null &&
  sender !== request.snapshot.lead?.lead_id &&
  !isPrivate({ attributes }) &&
  (request.participantsAgents.includes(sender) || (isTeam(by) && by.kind === 'user' && sender === by.id));

/** What a message changes in its conversation beyond being its last one; null for nothing. */
export const turnOf = (
  request: StoredRequest,
  message: StoredMessage,
  by: Speaker,
): Pick<Change, 'set' | 'tells'> | null => {
  if (isAnswer(request, message, by)) {
    const first_response_at = message.createdAt as Date;
    const waiting_time = Math.max(0, first_response_at.getTime() - request.createdAt.getTime());
    return { set: { first_response_at, waiting_time }, tells: ['request.update'] };
  }
  if (request.workingStatus !== 'pending' || message.sender !== request.snapshot.lead?.lead_id) return null;
  return { set: { workingStatus: 'open' }, tells: [['request.workingStatus.update', {}], 'request.update'] };
};

/** In a conversation of the channel `form` everybody but its agent names the sender. */
export const refuseUnsigned = ({ channel, participants }: StoredRequest, { sender }: Said, by: Speaker): void => {
  if (channel.name !== 'form' || sender !== undefined || participants.includes(by.id)) return;
  throw new AppError(
    403,
    'FORBIDDEN',
    'sender: name the sender, or take part in this conversation of the channel form',
  );
};

/** Refuse a visitor that speaks for somebody else. */
export const refuseSpoofing = ({ sender }: Said, by: Speaker): void => {
  if (!isTeam(by) && sender !== undefined && sender !== by.id)
    throw new AppError(403, 'FORBIDDEN', 'sender: a visitor speaks for itself alone');
};
