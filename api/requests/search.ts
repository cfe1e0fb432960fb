/** `full_text` of the lists of conversations (contract b 1.3). */
import { z } from 'zod';
import * as requests from '#shared/domain/conversations/requests.ts';
import { highlighted } from '#shared/domain/searching/highlighting.ts';
import { ownWindow } from '#shared/domain/searching/own-search.ts';
import { type Place, type Search, take, type Window, windows } from '#shared/domain/searching/search.ts';
import { Highlight } from '#shared/search/highlights.ts';
import { soughtIn } from '#shared/search/phrases.ts';
import { isId, maybe } from '#shared/view.ts';
import { misused, type Position, written } from '../http/cursor.ts';

const Key = z.string().refine(isId);

/** Where a search goes on; it goes with its own words alone. */
export const SearchPlace = z.strictObject({
  words: z.string(),
  ranked: z.boolean(),
  word: z.string(),
  top: Key.optional(),
  below: Key.optional(),
  past: z.strictObject({ score: z.number(), at: Key }).optional(),
  before: z.number().int().min(0),
});

/** What a search tells beside each conversation. */
export const beside = {
  score: maybe(z.number()).meta({
    description: 'With `full_text`: how well it matches, among those hit at about that time',
  }),
  highlights: maybe(z.array(Highlight)).meta({ description: 'With `full_text`: where the words stand' }),
};

/** A search as a query asks for it. */
interface Asked {
  full_text: string;
  no_textscore?: boolean;
  cursor?: z.output<typeof SearchPlace> | z.output<typeof Position>;
  page: number;
  limit: number;
}

/** Where a search looks, and whether it is a visitor's, who finds only what it sees. */
export interface Within {
  filter: Search['filter'];
  isVisitor: boolean;
}

/** What a search looks for, as one text: a cursor goes with that alone. */
const keyOf = ({ words, phrases }: Search): string =>
  [...words, ...phrases.map((phrase) => `"${phrase.join(' ')}"`)].join(' ');

const placeIn = (search: Search, { cursor, page }: Asked): Place | undefined => {
  if (!cursor) return undefined;
  if (page) throw misused('must not be given with page');
  if (Array.isArray(cursor)) throw misused('must be used without full_text, as the list that answered it');
  const { words: its, ranked: wasRanked, ...place } = cursor;
  if (its !== keyOf(search) || wasRanked !== search.ranked)
    throw misused('must be used in the search that answered it');
  return place;
};

const found = (search: Search, from?: Place): AsyncIterable<Window> => {
  if (!search.words.length) return (async function* nothing() {})();
  return search.isVisitor
    ? ownWindow(search)
    : windows(search, from && { word: from.word, top: from.top, below: from.below });
};

/** The conversations of matches, in their order. */
const inPlace = async (id_project: string, matches: { request_id: string }[]): Promise<requests.StoredRequest[]> => {
  if (!matches.length) return [];
  const ids = matches.map(({ request_id }) => request_id);
  const filter = { id_project, request_id: { $in: ids } };
  const stored = await requests.list(filter, { sort: { _id: -1 }, skip: 0, limit: ids.length });
  const known = new Map(stored.map((request) => [request.request_id, request]));
  return ids.flatMap((id) => known.get(id) ?? []);
};

/** A page of what is found, the count of what is found so far, and what is told of each. */
export const searchOf = async (asked: Asked, where: Within) => {
  const { id_project } = where.filter;
  const search: Search = { ...where, ...soughtIn(asked.full_text), ranked: !asked.no_textscore };
  const { words, ranked } = search;
  const from = placeIn(search, asked);
  const page = { skip: asked.page * asked.limit, limit: asked.limit, from };
  const { matches, count, next } = await take(found(search, from), page);
  const stored = await inPlace(id_project, matches);
  const marks = await highlighted(id_project, stored, { words, isVisitor: where.isVisitor });
  const scores = new Map(matches.map(({ request_id, score }) => [request_id, score]));
  return {
    ...{ count, stored, next_cursor: next ? written({ words: keyOf(search), ranked, ...next }) : null },
    tell: (id: string) => ({ ...(ranked && { score: scores.get(id) }), highlights: marks.get(id) }),
  };
};

/** All that is found, for lists without pages. */
export async function* everyFound(full_text: string, where: Within): AsyncGenerator<requests.StoredRequest> {
  const search: Search = { ...where, ...soughtIn(full_text), ranked: false };
  for await (const { matches } of found(search)) yield* await inPlace(where.filter.id_project, matches);
}
