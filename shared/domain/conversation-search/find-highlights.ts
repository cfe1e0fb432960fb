/** Finds the texts to highlight in search results. */
import { readMany } from '../../database/raw-read.ts';
import { Message } from '../../models/message.ts';
import { conversationTexts, visitorTexts } from '../../search/conversation-texts.ts';
import { type Highlight, highlightTexts } from '../../search/highlights.ts';
import type { StoredConversation } from '../conversations/conversation.ts';
import { NOT_PRIVATE } from '../conversations/messages/messages.ts';
import { CONVERSATION_INDEX, IN_CONVERSATION, QUERY_TIMEOUT_MS } from './word-hits.ts';

/**
 * For a page of n conversations, at most n times this number of messages are read: the newest ones, whichever of the
 * conversations they belong to. Words in other messages are not highlighted.
 */
const MESSAGES_PER_CONVERSATION = 5;

/**
 * Returns the highlights of the texts that contain at least one of the words, by `request_id`. For a visitor, only
 * texts that visitors may see are highlighted.
 */
export const findHighlights = async (
  id_project: string,
  requests: StoredConversation[],
  { words, isVisitor }: { words: string[]; isVisitor: boolean },
): Promise<Map<string, Highlight[]>> => {
  const recipient = { $in: requests.map(({ request_id }) => request_id) };
  const filter = {
    id_project,
    recipient,
    keywords: { $in: words },
    ...IN_CONVERSATION,
    ...(isVisitor ? NOT_PRIVATE : {}),
  };
  const page = {
    sort: { _id: -1 },
    limit: MESSAGES_PER_CONVERSATION * requests.length,
    maxTimeMS: QUERY_TIMEOUT_MS,
    hint: CONVERSATION_INDEX,
  } as const;
  const messages = requests.length
    ? await readMany(Message, filter, { fields: { recipient: 1, text: 1 }, ...page })
    : [];
  const messagesByConversation = Map.groupBy(messages, (message) => message.recipient);
  return new Map(
    requests.map((request) => {
      const texts = isVisitor ? visitorTexts(request) : conversationTexts(request);
      const messageTexts = (messagesByConversation.get(request.request_id) ?? []).map(
        ({ text }): [string, typeof text] => ['messages.text', text],
      );
      return [request.request_id, highlightTexts([...texts, ...messageTexts], (word) => words.includes(word))];
    }),
  );
};
