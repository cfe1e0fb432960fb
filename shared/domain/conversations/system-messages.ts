/** What the system says (contract b 2.8), in our own words and in the language of whom it speaks to. */
import { newId } from '../../context.ts';
import { BANNED } from '../../labels/banned.ts';
import { ENGLISH, shippedIn } from '../../labels/labels.ts';
import { MESSAGE, SYSTEM } from '../../models/message.ts';

const SAYINGS = {
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
  TOUCHING_OPERATOR: {
    label: 'INFO_A_NEW_SUPPORT_REQUEST_HAS_BEEN_ASSIGNED_TO_YOU',
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

/** The code under which a language comes with the service: `pt-BR` is `PT`. */
const codeOf = (language?: string | null): string => (language ?? '').split(/[-_]/)[0]?.toUpperCase() ?? '';

const wordsOf = (language?: string | null) => shippedIn(codeOf(language))?.data ?? ENGLISH;

const topicOf = ({ subject, first_text }: Conversation): string =>
  subject || first_text.replace(/[\r\n\\]+/g, ' ').slice(0, SHORT);

interface Saying {
  _id: string;
  id_project: string;
  recipient: string;
  channel_type: 'group' | 'direct';
  text: string;
  attributes: object;
  language?: string | null;
}

const said = ({ language, ...saying }: Saying) => {
  const now = new Date();
  return {
    ...saying,
    ...SYSTEM,
    type: 'text',
    ...(language && { language }),
    channel: { name: 'chat21' },
    status: MESSAGE.sending,
    createdBy: SYSTEM.sender,
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
};

/** The message as it is stored; that of a teammate's coming is for those who take part, and ends with what it is about. */
export const saidBySystem = (request: Conversation, key: SystemMessage, _id = newId()) => {
  const { id_project, request_id: recipient, language } = request;
  const { label, attributes } = SAYINGS[key];
  const coming = key === 'TOUCHING_OPERATOR';
  const words = wordsOf(language)[label];
  return said({
    ...{ _id, id_project, recipient, channel_type: 'group', language },
    text: coming ? `${words}: ${topicOf(request)}` : words,
    attributes: {
      ...attributes,
      messagelabel: { key },
      ...(coming && { updateconversationfor: request.participants }),
    },
  });
};

/** The message to a visitor who is kept out from now on. */
export const saidToBanned = (visitor: { id_project: string; id: string; language?: string | null }, _id: string) => {
  const { id_project, id: recipient, language } = visitor;
  const text = BANNED[codeOf(language) as keyof typeof BANNED] ?? BANNED.EN;
  const attributes = { subtype: 'info', messagelabel: { key: 'USER_BANNED' } };
  return said({ _id, id_project, recipient, channel_type: 'direct', language, text, attributes });
};
