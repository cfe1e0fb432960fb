/** Counts search words in messages and scores conversations. */
import { Types } from 'mongoose';
import { Message } from '../../models/message.ts';
import { CONVERSATION_INDEX, type HitRange, IN_CONVERSATION, MAX_TIME_MS } from './word-hits.ts';

/** A conversation that matches a search. */
export interface Match {
  request_id: string;
  /** The `_id` of its newest hit. */
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

/** Returns the messages of these conversations that contain any of the words. `more` adds conditions. */
export const messagesWith = (
  { id_project, words, more = {} }: { id_project: string; words: string[]; more?: object },
  requests: string[],
  { top }: Pick<HitRange, 'top'>,
): Promise<MessageWords[]> => {
  const until = top ? { _id: { $lte: new Types.ObjectId(top) } } : {};
  const filter = {
    id_project,
    recipient: { $in: requests },
    keywords: { $in: words },
    ...IN_CONVERSATION,
    ...until,
    ...more,
  };
  const projection = { recipient: 1, words: { $setIntersection: ['$keywords', words] } } as const;
  return Message.aggregate<MessageWords>([{ $match: filter }, { $project: projection }]).option({
    maxTimeMS: MAX_TIME_MS,
    hint: CONVERSATION_INDEX,
  });
};

/** Counts the words of messages by `request_id`. */
export const countWords = (rows: Pick<MessageWords, 'recipient' | 'words'>[]): Map<string, WordCounts> => {
  const countsByConversation = new Map<string, WordCounts>();
  for (const { recipient, words } of rows) {
    const counts = countsByConversation.get(recipient) ?? new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    countsByConversation.set(recipient, counts);
  }
  return countsByConversation;
};

/** A word in the conversation's own texts adds as much to the score as about six messages that contain it. */
const OWN_TEXT_WEIGHT = 2;

/**
 * Returns the score of a conversation, which is 0 if any of the words is missing. `own` contains the words of the
 * conversation's own texts.
 */
export const scoreOf = (words: string[], own: Set<string>, counts: WordCounts = new Map()): number => {
  const weights = words.map((word) => (own.has(word) ? OWN_TEXT_WEIGHT : 0) + Math.log1p(counts.get(word) ?? 0));
  return weights.every(Boolean) ? Number(weights.reduce((sum, weight) => sum + weight, 0).toFixed(3)) : 0;
};
