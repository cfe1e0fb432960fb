/** Which conversations have every word that is looked for, and how well they match. */
import { Types } from 'mongoose';
import { Message } from '../../models/message.ts';
import { BY_CONVERSATION, PATIENCE_MS, SAID_IN_ONE, type Stretch } from './hits.ts';

/** A conversation that was found. */
export interface Match {
  request_id: string;
  /** Its newest hit. */
  at: string;
  score: number;
}

/** How many messages of a conversation have each word. */
type Said = Map<string, number>;

interface Row {
  _id: Types.ObjectId;
  recipient: string;
  words: string[];
}

/** What is hidden from visitors, as a filter (decision 57). */
export const NOT_PRIVATE = { 'attributes.subtype': { $ne: 'private' } };

/** The messages of these conversations that have any of the words. */
export const messagesWith = (
  { id_project, words, more = {} }: { id_project: string; words: string[]; more?: object },
  requests: string[],
  { top }: Pick<Stretch, 'top'>,
): Promise<Row[]> => {
  const until = top ? { _id: { $lte: new Types.ObjectId(top) } } : {};
  const filter = { id_project, recipient: { $in: requests }, words: { $in: words }, ...SAID_IN_ONE, ...until, ...more };
  const found = { recipient: 1, words: { $setIntersection: ['$words', words] } } as const;
  return Message.aggregate<Row>([{ $match: filter }, { $project: found }]).option({
    maxTimeMS: PATIENCE_MS,
    hint: BY_CONVERSATION,
  });
};

/** The words of messages, counted for each conversation. */
export const counted = (rows: Pick<Row, 'recipient' | 'words'>[]): Map<string, Said> => {
  const said = new Map<string, Said>();
  for (const { recipient, words } of rows) {
    const counts = said.get(recipient) ?? new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    said.set(recipient, counts);
  }
  return said;
};

const OWN = 2;

/** How well a conversation matches: what is said of it weighs as much as some messages; 0 where a word is missing. */
export const scoreOf = (words: string[], own: Set<string>, said: Said = new Map()): number => {
  const weights = words.map((word) => (own.has(word) ? OWN : 0) + Math.log1p(said.get(word) ?? 0));
  return weights.every(Boolean) ? Number(weights.reduce((sum, weight) => sum + weight, 0).toFixed(3)) : 0;
};
