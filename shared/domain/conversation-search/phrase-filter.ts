/**
 * Filters search matches by phrases. The index stores words without their order. Therefore, a search first finds
 * conversations by words, then reads their texts and checks the texts for the phrases.
 */
import { Types } from 'mongoose';
import { readEach, readMany } from '../../database/raw-read.ts';
import { Conversation } from '../../models/conversation.ts';
import { Message } from '../../models/message.ts';
import { CONVERSATION_TEXT_FIELDS, conversationTexts, visitorTexts } from '../../search/conversation-texts.ts';
import { findPhrases } from '../../search/phrases.ts';
import { NOT_PRIVATE } from '../conversations/messages/messages.ts';
import type { SearchMatch } from './scoring.ts';
import { CONVERSATION_INDEX, type HitRange, IN_CONVERSATION, QUERY_TIMEOUT_MS, REQUEST_ID_INDEX } from './word-hits.ts';

/**
 * Maximum number of messages read for the matches of one window (the hits that a search reads at a time). Phrases in
 * further messages are not found.
 */
const MAX_MESSAGES = 20_000;

/** The parts of a search that the phrase filter uses. */
interface PhraseSearch {
  filter: { id_project: string };
  phrases: string[][];
  isVisitor: boolean;
}

/** The phrases that have not been found yet, by `request_id`. */
type MissingPhrases = Map<string, string[][]>;

const removeFound = (missing: MissingPhrases, request_id: string, texts: (string | null | undefined)[]): void => {
  const phrases = missing.get(request_id);
  if (!phrases) return;
  const found = new Set(texts.flatMap((text) => findPhrases(text ?? '', phrases)));
  const remaining = phrases.filter((phrase) => !found.has(phrase));
  if (remaining.length) missing.set(request_id, remaining);
  else missing.delete(request_id);
};

const removeFoundInConversations = async (
  { filter: { id_project }, isVisitor }: PhraseSearch,
  missing: MissingPhrases,
): Promise<void> => {
  const filter = { id_project, request_id: { $in: [...missing.keys()] } };
  const requests = await readMany(Conversation, filter, {
    fields: { request_id: 1, ...CONVERSATION_TEXT_FIELDS },
    maxTimeMS: QUERY_TIMEOUT_MS,
    hint: REQUEST_ID_INDEX,
  });
  for (const { request_id, ...fields } of requests) {
    const texts = isVisitor ? visitorTexts(fields) : conversationTexts(fields);
    removeFound(
      missing,
      request_id,
      texts.map(([, text]) => text),
    );
  }
};

const removeFoundInMessages = async (
  { filter, phrases, isVisitor }: PhraseSearch,
  missing: MissingPhrases,
  top?: string,
): Promise<void> => {
  const messageFilter = {
    id_project: filter.id_project,
    recipient: { $in: [...missing.keys()] },
    $or: phrases.map((words) => ({ keywords: { $all: words } })),
    ...IN_CONVERSATION,
    ...(top ? { _id: { $lte: new Types.ObjectId(top) } } : {}),
    ...(isVisitor ? NOT_PRIVATE : {}),
  };
  const page = { limit: MAX_MESSAGES, maxTimeMS: QUERY_TIMEOUT_MS, hint: CONVERSATION_INDEX } as const;
  for await (const { recipient, text } of readEach(Message, messageFilter, {
    fields: { recipient: 1, text: 1 },
    ...page,
  })) {
    removeFound(missing, recipient, [text]);
    if (!missing.size) return;
  }
};

/** Returns the matches that contain every phrase. All words of a phrase must be in the same text. */
export const filterByPhrases = async (
  search: PhraseSearch,
  matches: SearchMatch[],
  { top }: Pick<HitRange, 'top'>,
): Promise<SearchMatch[]> => {
  if (!search.phrases.length || !matches.length) return matches;
  const missing: MissingPhrases = new Map(matches.map(({ request_id }) => [request_id, search.phrases]));
  await removeFoundInConversations(search, missing);
  if (missing.size) await removeFoundInMessages(search, missing, top);
  return matches.filter(({ request_id }) => !missing.has(request_id));
};
