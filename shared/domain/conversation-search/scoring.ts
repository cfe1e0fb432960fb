/** Counts the messages that contain the words of a search, and scores conversations. */
import { Types } from 'mongoose';
import { Message } from '../../models/message.ts';
import { CONVERSATION_INDEX, type HitRange, IN_CONVERSATION, QUERY_TIMEOUT_MS } from './word-hits.ts';

/** A conversation that matches a search. */
export interface SearchMatch {
  request_id: string;
  /** The `_id` of the newest hit: the conversation itself, or one of its messages. */
  newestHitId: string;
  score: number;
}

/** The number of messages of a conversation that contain each word. */
type WordCounts = Map<string, number>;

interface MessageWords {
  _id: Types.ObjectId;
  recipient: string;
  words: string[];
}

/**
 * Among the messages of some conversations, returns those that contain any of the words and meet the conditions in
 * `more`.
 */
export const findMessagesWith = (
  { id_project, words, more = {} }: { id_project: string; words: string[]; more?: object },
  requests: string[],
  { top }: Pick<HitRange, 'top'>,
): Promise<MessageWords[]> => {
  const range = top ? { _id: { $lte: new Types.ObjectId(top) } } : {};
  const filter = {
    id_project,
    recipient: { $in: requests },
    keywords: { $in: words },
    ...IN_CONVERSATION,
    ...range,
    ...more,
  };
  const projection = { recipient: 1, words: { $setIntersection: ['$keywords', words] } } as const;
  return Message.aggregate<MessageWords>([{ $match: filter }, { $project: projection }]).option({
    maxTimeMS: QUERY_TIMEOUT_MS,
    hint: CONVERSATION_INDEX,
  });
};

/** Returns, for each `request_id`, the number of messages that contain each word. */
export const countWords = (rows: Pick<MessageWords, 'recipient' | 'words'>[]): Map<string, WordCounts> => {
  const countsByConversation = new Map<string, WordCounts>();
  for (const { recipient, words } of rows) {
    const counts = countsByConversation.get(recipient) ?? new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    countsByConversation.set(recipient, counts);
  }
  return countsByConversation;
};

/** The score of a word in a conversation's own texts, such as its subject: about that of six messages with the word. */
const OWN_TEXT_WEIGHT = 2;

/**
 * Returns the score of a conversation, or 0 if any of the words is missing. `ownWords` contains the words of the
 * conversation's own texts, and `counts` the number of its messages that contain each word.
 */
export const scoreOf = (words: string[], ownWords: Set<string>, counts: WordCounts = new Map()): number => {
  const weights = words.map((word) => (ownWords.has(word) ? OWN_TEXT_WEIGHT : 0) + Math.log1p(counts.get(word) ?? 0));
  return weights.every(Boolean) ? Number(weights.reduce((sum, weight) => sum + weight, 0).toFixed(3)) : 0;
};
