/** Builds messages from the system to the people in a conversation, in the language of the conversation. */
import type { ClientSession } from 'mongoose';
import { newId } from '../../../context.ts';
import { emits } from '../../../events.ts';
import { BAN_MESSAGES } from '../../../labels/ban-messages.ts';
import { FALLBACK_LABELS, findBuiltInLabels } from '../../../labels/built-in-labels.ts';
import { Conversation } from '../../../models/conversation.ts';
import { MESSAGE_STATUS, Message, SYSTEM_SENDER } from '../../../models/message.ts';
import { currentTime } from '../../../time/clock.ts';

const SYSTEM_TEXTS = {
  CHAT_CLOSED: {
    label: 'INFO_SUPPORT_CHAT_CLOSED',
    attributes: { subtype: 'info/support', updateconversation: false },
  },
  CHAT_REOPENED: {
    label: 'INFO_SUPPORT_CHAT_REOPENED',
    attributes: { subtype: 'info/support', updateconversation: true },
  },
  LEAD_UPDATED: {
    label: 'INFO_SUPPORT_LEAD_UPDATED',
    attributes: { subtype: 'info/support', updateconversation: false },
  },
  /** An agent was assigned or has joined; the contract fixes the name. */
  TOUCHING_OPERATOR: {
    label: 'INFO_A_NEW_SUPPORT_REQUEST_HAS_BEEN_ASSIGNED_TO_YOU',
    attributes: { subtype: 'info', updateconversation: true, forcenotification: true },
  },
} as const;

export type SystemMessageKey = keyof typeof SYSTEM_TEXTS;

interface MessageTarget {
  id_project: string;
  request_id: string;
  language?: string | null;
  subject?: string | null;
  first_text: string;
  participants: string[];
}

const MAX_TOPIC_LENGTH = 30;

/** The key of a language in the built-in labels, such as `PT` for `pt-BR`. */
const languageCode = (language?: string | null): string => (language ?? '').split(/[-_]/)[0]?.toUpperCase() ?? '';

const labelsIn = (language?: string | null) => findBuiltInLabels(languageCode(language))?.data ?? FALLBACK_LABELS;

const topicOf = ({ subject, first_text }: MessageTarget): string =>
  subject || first_text.replace(/[\r\n\\]+/g, ' ').slice(0, MAX_TOPIC_LENGTH);

interface SystemMessageFields {
  _id: string;
  id_project: string;
  recipient: string;
  channel_type: 'group' | 'direct';
  text: string;
  attributes: object;
  language?: string | null;
}

const baseMessage = ({ language, ...fields }: SystemMessageFields) => {
  const now = currentTime();
  return {
    ...fields,
    ...SYSTEM_SENDER,
    type: 'text',
    ...(language && { language }),
    channel: { name: 'chat21' },
    status: MESSAGE_STATUS.sending,
    createdBy: SYSTEM_SENDER.sender,
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
};

/**
 * Builds a system message. `TOUCHING_OPERATOR` informs the participants of a new assignment. Its text ends with the
 * topic of the conversation.
 */
export const systemMessage = (request: MessageTarget, key: SystemMessageKey, _id = newId()) => {
  const { id_project, request_id: recipient, language } = request;
  const { label, attributes } = SYSTEM_TEXTS[key];
  const isAssignment = key === 'TOUCHING_OPERATOR';
  const text = labelsIn(language)[label];
  return baseMessage({
    ...{ _id, id_project, recipient, channel_type: 'group', language },
    text: isAssignment ? `${text}: ${topicOf(request)}` : text,
    attributes: {
      ...attributes,
      messagelabel: { key },
      ...(isAssignment && { updateconversationfor: request.participants }),
    },
  });
};

/** Builds the direct message to a visitor who has been banned. */
const banMessage = (visitor: { id_project: string; id: string; language?: string | null }, _id: string) => {
  const { id_project, id: recipient, language } = visitor;
  const text = BAN_MESSAGES[languageCode(language) as keyof typeof BAN_MESSAGES] ?? BAN_MESSAGES.EN;
  const attributes = { subtype: 'info', messagelabel: { key: 'USER_BANNED' } };
  return baseMessage({ _id, id_project, recipient, channel_type: 'direct', language, text, attributes });
};

/**
 * Prepares the direct message about a ban, in the language of the visitor's latest conversation. Returns a function
 * that stores the message within the transaction of the ban.
 */
export const prepareBanMessage = async (id_project: string, id: string) => {
  const own = { id_project, 'snapshot.lead.lead_id': id };
  const latest = await Conversation.findOne(own, { language: 1 }).sort({ createdAt: -1 }).lean();
  const message = banMessage({ id_project, id, language: latest?.language }, newId());
  return async (session: ClientSession): Promise<void> => {
    await Message.create([message], { session, ...emits('message.create') });
  };
};
