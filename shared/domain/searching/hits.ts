/** Where a word stands: in conversations themselves and in their messages, the newest first. */
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { countOf, readMany } from '../../read.ts';

/** Hits of one window: enough for a page of most searches, little to read. */
export const WINDOW = 500;
/** A search waits no longer for one answer of the database. */
export const PATIENCE_MS = 5000;
/** The ways to what is looked for. The first records of another way may all fit, which says nothing of a million more. */
export const BY_WORD = { id_project: 1, words: 1, _id: -1 } as const;
export const BY_CONVERSATION = { id_project: 1, recipient: 1, createdAt: 1, _id: 1 } as const;
export const BY_NAME = { id_project: 1, request_id: 1 } as const;
/** Words that are this common are common alike. */
const COMMON = 1000;

/** A direct message stands in no conversation, whatever its recipient is called. */
export const SAID_IN_ONE = { channel_type: { $ne: 'direct' } };

/** A word in a conversation: in its own texts, or in a message. */
export interface Hit {
  /** The `_id` of the record in which it stands. */
  at: string;
  request_id: string;
  own: boolean;
}

/** The part of the hits of `word` after `below`, up to `top`; none is lost or doubled when more of them come. */
export interface Stretch {
  word: string;
  top?: string;
  below?: string;
}

const between = ({ top, below }: Pick<Stretch, 'top' | 'below'>) =>
  top || below ? { _id: { ...(top && { $lte: top }), ...(below && { $lt: below }) } } : {};

/** The newest hit of any of the words: what comes later is none of the search. */
export const newest = async (id_project: string, words: string[]): Promise<string | undefined> => {
  const filter = { id_project, words: { $in: words } };
  const page = { fields: { _id: 1 }, sort: { _id: -1 }, limit: 1, hint: BY_WORD } as const;
  const found = await Promise.all([readMany(Request, filter, page), readMany(Message, filter, page)]);
  const ids = found.flat().map(({ _id }) => String(_id));
  return ids.toSorted().at(-1);
};

/** A window of a word's hits. */
export const hitsOf = async (id_project: string, stretch: Stretch): Promise<Hit[]> => {
  const filter = { id_project, words: stretch.word, ...between(stretch) };
  const page = { sort: { _id: -1 }, limit: WINDOW, maxTimeMS: PATIENCE_MS, hint: BY_WORD } as const;
  const [requests, messages] = await Promise.all([
    readMany(Request, filter, { fields: { request_id: 1 }, ...page }),
    readMany(Message, { ...filter, ...SAID_IN_ONE }, { fields: { recipient: 1 }, ...page }),
  ]);
  const hits = [
    ...requests.map(({ _id, request_id }) => ({ at: String(_id), request_id, own: true })),
    ...messages.map(({ _id, recipient }) => ({ at: String(_id), request_id: recipient, own: false })),
  ];
  return hits.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, WINDOW);
};

const frequency = async (id_project: string, word: string): Promise<number> => {
  const filter = { id_project, words: word };
  const counts = await Promise.all([countOf(Request, filter, COMMON), countOf(Message, filter, COMMON)]);
  return Math.min(COMMON, counts[0] + counts[1]);
};

/** The word by which the fewest conversations have to be looked at; of common ones the longest. */
export const rarest = async (id_project: string, words: string[]): Promise<string> => {
  if (words.length === 1) return words[0] as string;
  const ranked = await Promise.all(words.map(async (word) => ({ word, n: await frequency(id_project, word) })));
  ranked.sort((one, other) => one.n - other.n || other.word.length - one.word.length);
  return ranked[0]?.word as string;
};
