/**
 * Conversations by the words in them and in their messages (contract b 1.3). A search walks the hits of its rarest word from the newest
 * on, window by window, and ranks within each: it takes no longer for being in a large project, and finds the oldest too.
 */
import type { Types } from 'mongoose';
import { Request } from '../../models/request.ts';
import { readMany } from '../../read.ts';
import { BY_NAME, type Hit, hitsOf, newest, PATIENCE_MS, rarest, type Stretch, WINDOW } from './hits.ts';
import { counted, type Match, messagesWith, scoreOf } from './matches.ts';
import { withPhrases } from './phrases.ts';

/** What is looked for: all of the words and phrases, among the conversations of a filter. */
export interface Search {
  filter: object & { id_project: string };
  words: string[];
  /** Of them those that stand one after the other. */
  phrases: string[][];
  /** A visitor finds by what it sees alone. */
  isVisitor: boolean;
  /** By score; else by their newest hits alone. */
  ranked: boolean;
}

/** Where a search goes on: in which window, after which of its matches, and how many were found before it. */
export interface Place extends Stretch {
  past?: { score: number; at: string };
  before: number;
}

/** A stretch of the hits, the matches in it in their order, and where the next one begins. */
export interface Window {
  stretch: Stretch;
  matches: Match[];
  next?: Stretch;
}

/** The better one first, then the newer. */
const order = (one: Pick<Match, 'score' | 'at'>, other: Pick<Match, 'score' | 'at'>): number =>
  other.score - one.score || other.at.localeCompare(one.at);

/** Put matches into their order. */
export const inOrder = ({ ranked }: Search, matches: Match[]): Match[] =>
  matches.map((match) => (ranked ? match : { ...match, score: 0 })).toSorted(order);

type Found = { _id: Types.ObjectId; request_id: string; words?: string[] };

/** The conversations of the filter among those that were hit. */
const candidates = ({ filter }: Search, hits: Hit[]): Promise<Found[]> => {
  const request_id = { $in: [...new Set(hits.map((hit) => hit.request_id))] };
  const wanted = { $and: [filter, { request_id }], id_project: filter.id_project };
  const fields = { _id: 1, request_id: 1, words: 1 } as const;
  return readMany(Request, wanted, { fields, maxTimeMS: PATIENCE_MS, hint: BY_NAME }) as Promise<Found[]>;
};

/** The matches of a window: each conversation stands in that of its newest hit. */
const matchesIn = async (search: Search, { word, ...stretch }: Stretch, hits: Hit[]): Promise<Match[]> => {
  const found = await candidates(search, hits);
  const { filter, words } = search;
  const isKnown = words.length === 1 && !stretch.below;
  const ids = found.map(({ request_id }) => request_id);
  const rows = isKnown ? [] : await messagesWith({ id_project: filter.id_project, words }, ids, stretch);
  const heard = hits.flatMap((hit) => (hit.own ? [] : { recipient: hit.request_id, words: [word] }));
  const said = counted(isKnown ? heard : rows);
  const isNewer = (_id: unknown) => stretch.below !== undefined && String(_id) >= stretch.below;
  const seen = new Set(rows.flatMap((row) => (row.words.includes(word) && isNewer(row._id) ? row.recipient : [])));
  const latest = new Map(hits.toReversed().map(({ request_id, at }) => [request_id, at]));
  return found.flatMap(({ _id, request_id, words: its = [] }) => {
    if (seen.has(request_id) || (its.includes(word) && isNewer(_id))) return [];
    const score = scoreOf(words, new Set(its), said.get(request_id));
    return score ? { request_id, at: latest.get(request_id) as string, score } : [];
  });
};

const beginning = async ({ filter: { id_project }, words }: Search): Promise<Stretch> => ({
  word: await rarest(id_project, words),
  top: await newest(id_project, words),
});

/** The windows of a search, from the newest hits on, or from where it is to go on. */
export async function* windows(search: Search, from?: Stretch): AsyncGenerator<Window> {
  for (let stretch: Stretch | undefined = from ?? (await beginning(search)); stretch; ) {
    const hits = await hitsOf(search.filter.id_project, stretch);
    const next: Stretch | undefined = hits.length < WINDOW ? undefined : { ...stretch, below: hits.at(-1)?.at };
    const matches = await withPhrases(search, await matchesIn(search, stretch, hits), stretch);
    yield { stretch, matches: inOrder(search, matches), next };
    stretch = next;
  }
}

/** A page of what is found, how many are found so far, and where the next page begins; absent at the end. */
interface Page {
  matches: Match[];
  count: number;
  next?: Place;
}

/**
 * Take a page of a search. It may be short where little of what was hit lies within the filter and looking on would take too long:
 * then the next page goes on there.
 */
export const take = async (
  found: AsyncIterable<Window>,
  { skip, limit, from }: { skip: number; limit: number; from?: Place },
): Promise<Page> => {
  const matches: Match[] = [];
  const end = Date.now() + PATIENCE_MS;
  let [before, left, past] = [from?.before ?? 0, skip, from?.past];
  for await (const { stretch, matches: all, next } of found) {
    const after = past;
    const rest = after ? all.filter((match) => order(after, match) < 0) : all;
    matches.push(...rest.slice(left, left + limit - matches.length));
    const count = before + all.length;
    const last = matches.at(-1);
    if (last && matches.length === limit) {
      const isLast = last === rest.at(-1);
      if (isLast) return { matches, count, ...(next && { next: { ...next, before: count } }) };
      return { matches, count, next: { ...stretch, before, past: { score: last.score, at: last.at } } };
    }
    if (next && Date.now() > end) return { matches, count, next: { ...next, before: count } };
    [before, left, past] = [count, Math.max(0, left - rest.length), undefined];
  }
  return { matches, count: before };
};
