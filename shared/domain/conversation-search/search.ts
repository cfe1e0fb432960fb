/**
 * Full-text search of conversations by their own texts, such as the subject, and by their messages. A search divides
 * the hits of its rarest word (the conversations and messages that contain the word) into windows, reads one window
 * after another, newest first, and ranks the matches within each window. The cost of a page therefore does not grow
 * with the size of the project, and old conversations are found too.
 */
import type { Types } from 'mongoose';
import { readMany } from '../../database/raw-read.ts';
import { Conversation } from '../../models/conversation.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { filterByPhrases } from './phrase-filter.ts';
import { countWords, type SearchMatch, findMessagesWith, scoreOf } from './scoring.ts';
import {
  type HitRange,
  QUERY_TIMEOUT_MS,
  findNewestHitId,
  REQUEST_ID_INDEX,
  findRarestWord,
  readHits,
  WINDOW_SIZE,
  type WordHit,
} from './word-hits.ts';

/** A search among the conversations that match a filter. A match must contain all words and phrases. */
export interface ConversationSearch {
  filter: object & { id_project: string };
  words: string[];
  /** Sequences of words that must follow each other in one text. */
  phrases: string[][];
  /** Whether the actor is a visitor. The search then covers only the texts that visitors may see. */
  isVisitor: boolean;
  /** Whether matches are sorted by score. Otherwise, they are sorted by their newest hit. */
  ranked: boolean;
}

/** The position from which a search continues in its window. The cursors sent to clients contain these field names. */
export interface SearchPosition extends HitRange {
  /** The last match already returned from the window: its score, and the id of its newest hit (`at`). */
  past?: { score: number; at: string };
  /** The number of matches in the windows before this one. */
  before: number;
}

/** A range of hits, its sorted matches, and the next range, if there is one. */
export interface SearchWindow {
  range: HitRange;
  matches: SearchMatch[];
  next?: HitRange;
}

type SortKey = Pick<SearchMatch, 'score' | 'newestHitId'>;

/** Sorts by score, then newest first. */
const compareMatches = (one: SortKey, other: SortKey): number =>
  other.score - one.score || other.newestHitId.localeCompare(one.newestHitId);

/** Sorts matches by score if the search is `ranked`, otherwise by their newest hit. */
export const sortMatches = ({ ranked }: ConversationSearch, matches: SearchMatch[]): SearchMatch[] =>
  matches.map((match) => (ranked ? match : { ...match, score: 0 })).toSorted(compareMatches);

type FoundConversation = { _id: Types.ObjectId; request_id: string; keywords?: string[] };

/** Returns the conversations that contain hits and match the filter. */
const findCandidates = ({ filter }: ConversationSearch, hits: WordHit[]): Promise<FoundConversation[]> => {
  const request_id = { $in: [...new Set(hits.map((hit) => hit.request_id))] };
  const candidates = { $and: [filter, { request_id }], id_project: filter.id_project };
  const fields = { _id: 1, request_id: 1, keywords: 1 } as const;
  return readMany(Conversation, candidates, { fields, maxTimeMS: QUERY_TIMEOUT_MS, hint: REQUEST_ID_INDEX }) as Promise<
    FoundConversation[]
  >;
};

/** Returns the matches of a window. A conversation is a match only in the window that contains its newest hit. */
const matchesIn = async (
  search: ConversationSearch,
  { word, ...range }: HitRange,
  hits: WordHit[],
): Promise<SearchMatch[]> => {
  const found = await findCandidates(search, hits);
  const { filter, words } = search;
  const needsOnlyHits = words.length === 1 && !range.below; // no other words to count, no earlier window to compare
  const ids = found.map(({ request_id }) => request_id);
  const rows = needsOnlyHits ? [] : await findMessagesWith({ id_project: filter.id_project, words }, ids, range);
  const messageHits = hits.flatMap((hit) => (hit.isOwnText ? [] : { recipient: hit.request_id, words: [word] }));
  const wordCounts = countWords(needsOnlyHits ? messageHits : rows);
  // Earlier windows contain newer records.
  const isInEarlierWindow = (_id: unknown) => range.below !== undefined && String(_id) >= range.below;
  const conversationsOfEarlierWindows = new Set(
    rows.flatMap((row) => (row.words.includes(word) && isInEarlierWindow(row._id) ? row.recipient : [])),
  );
  const latest = new Map(hits.toReversed().map(({ request_id, recordId }) => [request_id, recordId]));
  return found.flatMap(({ _id, request_id, keywords: ownWords = [] }) => {
    if (conversationsOfEarlierWindows.has(request_id) || (ownWords.includes(word) && isInEarlierWindow(_id))) return [];
    const score = scoreOf(words, new Set(ownWords), wordCounts.get(request_id));
    return score ? { request_id, newestHitId: latest.get(request_id) as string, score } : [];
  });
};

const firstRange = async ({ filter: { id_project }, words }: ConversationSearch): Promise<HitRange> => ({
  word: await findRarestWord(id_project, words),
  top: await findNewestHitId(id_project, words),
});

/** Yields the windows of a search, starting with the newest hits or with the range `from`. */
export async function* searchWindows(search: ConversationSearch, from?: HitRange): AsyncGenerator<SearchWindow> {
  for (let range: HitRange | undefined = from ?? (await firstRange(search)); range; ) {
    const hits = await readHits(search.filter.id_project, range);
    const next: HitRange | undefined =
      hits.length < WINDOW_SIZE ? undefined : { ...range, below: hits.at(-1)?.recordId };
    const matches = await filterByPhrases(search, await matchesIn(search, range, hits), range);
    yield { range, matches: sortMatches(search, matches), next };
    range = next;
  }
}

/** A page of matches, the number of matches found so far, and the position of the next page, if there is one. */
interface SearchPage {
  matches: SearchMatch[];
  count: number;
  next?: SearchPosition;
}

/**
 * Returns the next page of a search. The page is short if the time limit is reached before enough matches are found.
 * The next page then continues the search.
 */
export const readSearchPage = async (
  windows: AsyncIterable<SearchWindow>,
  { skip, limit, from }: { skip: number; limit: number; from?: SearchPosition },
): Promise<SearchPage> => {
  const matches: SearchMatch[] = [];
  const end = currentTimeMs() + QUERY_TIMEOUT_MS;
  let [before, toSkip, past] = [from?.before ?? 0, skip, from?.past];
  for await (const { range, matches: all, next } of windows) {
    const after = past && { score: past.score, newestHitId: past.at };
    const rest = after ? all.filter((match) => compareMatches(after, match) < 0) : all;
    matches.push(...rest.slice(toSkip, toSkip + limit - matches.length));
    const count = before + all.length;
    const last = matches.at(-1);
    if (last && matches.length === limit) {
      const isLast = last === rest.at(-1);
      if (isLast) return { matches, count, ...(next && { next: { ...next, before: count } }) };
      return { matches, count, next: { ...range, before, past: { score: last.score, at: last.newestHitId } } };
    }
    if (next && currentTimeMs() > end) return { matches, count, next: { ...next, before: count } };
    [before, toSkip, past] = [count, Math.max(0, toSkip - rest.length), undefined];
  }
  return { matches, count: before };
};
