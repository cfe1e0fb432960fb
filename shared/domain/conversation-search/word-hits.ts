/** Finds the hits of a word in conversations and their messages, newest first. */
import { countRecords, readMany } from '../../database/raw-read.ts';
import { Conversation } from '../../models/conversation.ts';
import { Message } from '../../models/message.ts';

/** Number of hits in a window, the unit of reading: enough to fill a page in most searches, and cheap to read. */
export const WINDOW_SIZE = 500;
/** Time limit of each database query of a search. */
export const QUERY_TIMEOUT_MS = 5000;
/**
 * Index hints. The query planner compares indexes by the first records that they return, which can mislead it in a
 * large collection.
 */
export const WORD_INDEX = { id_project: 1, keywords: 1, _id: -1 } as const;
export const CONVERSATION_INDEX = { id_project: 1, recipient: 1, createdAt: 1, _id: 1 } as const;
export const REQUEST_ID_INDEX = { id_project: 1, request_id: 1 } as const;
/** Hits are counted up to this number. Words with more hits are treated as equally common. */
const COMMON_WORD_COUNT = 1000;

/** Excludes direct messages: their recipient is the id of a person, which may equal a `request_id`. */
export const IN_CONVERSATION = { channel_type: { $ne: 'direct' } };

/** An occurrence of a word in the texts of a conversation or in one of its messages. */
export interface WordHit {
  /** The `_id` of the conversation or message. */
  recordId: string;
  request_id: string;
  isOwnText: boolean;
}

/**
 * The hits of `word` whose ids are at most `top` and less than `below`. Hits added later do not change the range,
 * because their ids are above `top`.
 */
export interface HitRange {
  word: string;
  top?: string;
  below?: string;
}

const idRange = ({ top, below }: Pick<HitRange, 'top' | 'below'>) =>
  top || below ? { _id: { ...(top && { $lte: top }), ...(below && { $lt: below }) } } : {};

/** Returns the id of the newest hit of any of the words. A search ignores the hits that are added later. */
export const findNewestHitId = async (id_project: string, words: string[]): Promise<string | undefined> => {
  const filter = { id_project, keywords: { $in: words } };
  const page = { fields: { _id: 1 }, sort: { _id: -1 }, limit: 1, hint: WORD_INDEX } as const;
  const found = await Promise.all([readMany(Conversation, filter, page), readMany(Message, filter, page)]);
  const ids = found.flat().map(({ _id }) => String(_id));
  return ids.toSorted().at(-1);
};

/** Returns a window of hits, newest first. */
export const readHits = async (id_project: string, range: HitRange): Promise<WordHit[]> => {
  const filter = { id_project, keywords: range.word, ...idRange(range) };
  const page = { sort: { _id: -1 }, limit: WINDOW_SIZE, maxTimeMS: QUERY_TIMEOUT_MS, hint: WORD_INDEX } as const;
  const [requests, messages] = await Promise.all([
    readMany(Conversation, filter, { fields: { request_id: 1 }, ...page }),
    readMany(Message, { ...filter, ...IN_CONVERSATION }, { fields: { recipient: 1 }, ...page }),
  ]);
  const hits = [
    ...requests.map(({ _id, request_id }) => ({ recordId: String(_id), request_id, isOwnText: true })),
    ...messages.map(({ _id, recipient }) => ({ recordId: String(_id), request_id: recipient, isOwnText: false })),
  ];
  return hits.toSorted((one, other) => (one.recordId < other.recordId ? 1 : -1)).slice(0, WINDOW_SIZE);
};

const frequency = async (id_project: string, word: string): Promise<number> => {
  const filter = { id_project, keywords: word };
  const counts = await Promise.all([
    countRecords(Conversation, filter, COMMON_WORD_COUNT),
    countRecords(Message, filter, COMMON_WORD_COUNT),
  ]);
  return Math.min(COMMON_WORD_COUNT, counts[0] + counts[1]);
};

/** Returns the rarest word, because it has the fewest hits to read. Of equally common words, returns the longest. */
export const findRarestWord = async (id_project: string, words: string[]): Promise<string> => {
  if (words.length === 1) return words[0] as string;
  const ranked = await Promise.all(words.map(async (word) => ({ word, count: await frequency(id_project, word) })));
  ranked.sort((one, other) => one.count - other.count || other.word.length - one.word.length);
  return ranked[0]?.word as string;
};
