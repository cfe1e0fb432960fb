/** Searches a visitor's own conversations, limited to the texts that the visitor may see. */
import { readMany } from '../../database/raw-read.ts';
import { Conversation } from '../../models/conversation.ts';
import { visitorTexts } from '../../search/conversation-texts.ts';
import { extractKeywords } from '../../search/words.ts';
import { NOT_PRIVATE } from '../conversations/messages/messages.ts';
import { filterByPhrases } from './phrase-filter.ts';
import { countWords, findMessagesWith, scoreOf } from './scoring.ts';
import { type ConversationSearch, type SearchWindow, sortMatches } from './search.ts';
import { QUERY_TIMEOUT_MS } from './word-hits.ts';

/** Maximum number of conversations searched: the newest ones of the visitor. */
const MAX_CONVERSATIONS = 1000;

const TEXT_FIELDS = { request_id: 1, subject: 1, first_text: 1, rating_message: 1, snapshot: 1 } as const;

/** Yields all matches of a visitor's search as a single window; other searches have several (see `search.ts`). */
export async function* searchVisitorConversations(search: ConversationSearch): AsyncGenerator<SearchWindow> {
  const { filter, words } = search;
  const page = { sort: { createdAt: -1 }, limit: MAX_CONVERSATIONS, maxTimeMS: QUERY_TIMEOUT_MS } as const;
  const requests = await readMany(Conversation, filter, { fields: TEXT_FIELDS, ...page });
  const ids = requests.map(({ request_id }) => request_id);
  const wordCounts = countWords(
    await findMessagesWith({ id_project: filter.id_project, words, more: NOT_PRIVATE }, ids, {}),
  );
  const matches = requests.flatMap(({ _id, request_id, ...texts }) => {
    const ownWords = new Set(extractKeywords(...visitorTexts(texts as object).map(([, text]) => text)));
    const score = scoreOf(words, ownWords, wordCounts.get(request_id));
    return score ? { request_id, newestHitId: String(_id), score } : [];
  });
  yield { range: { word: '' }, matches: sortMatches(search, await filterByPhrases(search, matches, {})) };
}
