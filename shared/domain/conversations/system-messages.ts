/** What the system says in a conversation (contract b 2.8), in our own words. */
import { newId } from '../../context.ts';
import { MESSAGE, SYSTEM } from '../../models/message.ts';

const SAYINGS = {
  CHAT_CLOSED: {
    text: 'This conversation is closed',
    attributes: { subtype: 'info/support', updateconversation: false },
  },
  CHAT_REOPENED: {
    text: 'This conversation is open again',
    attributes: { subtype: 'info/support', updateconversation: true },
  },
  LEAD_UPDATED: {
    text: 'Name or e-mail was changed',
    attributes: { subtype: 'info/support', updateconversation: false },
  },
  TOUCHING_OPERATOR: {
    text: 'Somebody of the team is with you now',
    attributes: { subtype: 'info', updateconversation: true, forcenotification: true },
  },
} as const;

export type SystemMessage = keyof typeof SAYINGS;

interface Conversation {
  id_project: string;
  request_id: string;
  language?: string | null;
  subject?: string | null;
  first_text: string;
  participants: string[];
}

const SHORT = 30;

const topicOf = ({ subject, first_text }: Conversation): string =>
  subject || first_text.replace(/[\r\n\\]+/g, ' ').slice(0, SHORT);

/** The message as it is stored; that of a teammate's coming ends with what the conversation is about. */
export const saidBySystem = (request: Conversation, key: SystemMessage, _id = newId()) => {
  const { text, attributes } = SAYINGS[key];
  const coming = key === 'TOUCHING_OPERATOR';
  const now = new Date();
  return {
    _id,
    id_project: request.id_project,
    recipient: request.request_id,
    ...SYSTEM,
    text: coming ? `${text}: ${topicOf(request)}` : text,
    type: 'text',
    attributes: {
      ...attributes,
      messagelabel: { key },
      ...(coming && { updateconversationfor: request.participants }),
    },
    ...(request.language && { language: request.language }),
    channel: { name: 'chat21' },
    channel_type: 'group',
    status: MESSAGE.sending,
    createdBy: SYSTEM.sender,
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
};
