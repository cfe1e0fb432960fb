/** Full-text search in conversation lists (`full_text`): cursor, page and search columns. */
import { z } from 'zod';
import { findHighlights } from '#shared/domain/conversation-search/find-highlights.ts';
import {
  type ConversationSearch,
  type SearchPosition,
  type SearchWindow,
  searchWindows,
  readSearchPage,
} from '#shared/domain/conversation-search/search.ts';
import { searchVisitorConversations } from '#shared/domain/conversation-search/visitor-search.ts';
import * as conversations from '#shared/domain/conversations/conversation.ts';
import { Highlight } from '#shared/search/highlights.ts';
import { parseSearchTerms } from '#shared/search/phrases.ts';
import { isId, optionalField } from '#shared/wire/view.ts';
import { type CursorPosition, encodeCursor, invalidCursor } from '../http/request/cursor.ts';

const RecordId = z.string().refine(isId);

/** The cursor of a search: a `SearchPosition`, and the words and sort order of the only search that accepts it. */
export const SearchCursorInput = z.strictObject({
  words: z.string(),
  ranked: z.boolean(),
  word: z.string(),
  top: RecordId.optional(),
  below: RecordId.optional(),
  past: z.strictObject({ score: z.number(), at: RecordId }).optional(),
  before: z.number().int().min(0),
});

/** The columns that a search adds to each conversation. */
export const searchColumns = {
  score: optionalField(z.number()).meta({
    description:
      'With `full_text`: relevance. Results are sorted by relevance only within groups of conversations of similar age',
  }),
  highlights: optionalField(z.array(Highlight)).meta({ description: 'With `full_text`: where the words occur' }),
};

/** The search parameters of a list query. */
interface SearchInput {
  full_text: string;
  no_textscore?: boolean;
  cursor?: z.output<typeof SearchCursorInput> | z.output<typeof CursorPosition>;
  page: number;
  limit: number;
}

/** The conversations that a search covers. A search by a visitor reads only texts that visitors may see. */
export interface SearchScope {
  filter: ConversationSearch['filter'];
  isVisitor: boolean;
}

/** Returns the words and phrases of a search as a string. Cursors contain it, so that other searches reject them. */
const searchKey = ({ words, phrases }: ConversationSearch): string =>
  [...words, ...phrases.map((phrase) => `"${phrase.join(' ')}"`)].join(' ');

const resolvePosition = (search: ConversationSearch, { cursor, page }: SearchInput): SearchPosition | undefined => {
  if (!cursor) return undefined;
  if (page) throw invalidCursor('cannot be combined with `page`');
  if (Array.isArray(cursor)) throw invalidCursor('must come from a list with `full_text`; omit it to start over');
  const { words: cursorWords, ranked: wasRanked, ...position } = cursor;
  if (cursorWords !== searchKey(search) || wasRanked !== search.ranked)
    throw invalidCursor('must come from the same search; omit it to start over');
  return position;
};

const matchingWindows = (search: ConversationSearch, from?: SearchPosition): AsyncIterable<SearchWindow> => {
  if (!search.words.length) return (async function* nothing() {})();
  return search.isVisitor
    ? searchVisitorConversations(search)
    : searchWindows(search, from && { word: from.word, top: from.top, below: from.below });
};

/** Loads the conversations of matches, in the order of the matches. */
const loadInOrder = async (
  id_project: string,
  matches: { request_id: string }[],
): Promise<conversations.StoredConversation[]> => {
  if (!matches.length) return [];
  const ids = matches.map(({ request_id }) => request_id);
  const filter = { id_project, request_id: { $in: ids } };
  const stored = await conversations.list(filter, { sort: { _id: -1 }, skip: 0, limit: ids.length });
  const byRequestId = new Map(stored.map((conversation) => [conversation.request_id, conversation]));
  return ids.flatMap((id) => byRequestId.get(id) ?? []);
};

/**
 * Returns a page of matches and the number of matches found so far. `columnsOf(request_id)` returns the search columns
 * of a conversation. Throws 422 for a cursor of another search.
 */
export const searchConversations = async (input: SearchInput, scope: SearchScope) => {
  const { id_project } = scope.filter;
  const search: ConversationSearch = { ...scope, ...parseSearchTerms(input.full_text), ranked: !input.no_textscore };
  const { words, ranked } = search;
  const from = resolvePosition(search, input);
  const page = { skip: input.page * input.limit, limit: input.limit, from };
  const { matches, count, next } = await readSearchPage(matchingWindows(search, from), page);
  const stored = await loadInOrder(id_project, matches);
  const highlightsById = await findHighlights(id_project, stored, { words, isVisitor: scope.isVisitor });
  const scores = new Map(matches.map(({ request_id, score }) => [request_id, score]));
  return {
    ...{ count, stored, next_cursor: next ? encodeCursor({ words: searchKey(search), ranked, ...next }) : null },
    columnsOf: (id: string) => ({ ...(ranked && { score: scores.get(id) }), highlights: highlightsById.get(id) }),
  };
};

/** Yields all matches, newest first, for exports. */
export async function* eachMatch(
  full_text: string,
  scope: SearchScope,
): AsyncGenerator<conversations.StoredConversation> {
  const search: ConversationSearch = { ...scope, ...parseSearchTerms(full_text), ranked: false };
  for await (const { matches } of matchingWindows(search)) yield* await loadInOrder(scope.filter.id_project, matches);
}
