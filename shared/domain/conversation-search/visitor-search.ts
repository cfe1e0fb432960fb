/** A visitor's search among its own conversations, limited to the texts it may see. */
import { readMany } from '../../database/raw-read.ts';
import { Conversation } from '../../models/conversation.ts';
import { visitorTexts } from '../../search/conversation-texts.ts';
import { extractKeywords } from '../../search/words.ts';
import { NOT_PRIVATE } from '../conversations/messages/messages.ts';
import { withPhrases } from './phrase-filter.ts';
import { countWords, messagesWith, scoreOf } from './scoring.ts';
import { type Search, type SearchWindow, sortMatches } from './search.ts';
import { MAX_TIME_MS } from './word-hits.ts';

/** Newest conversations of a visitor that are searched. */
const MAX_CONVERSATIONS = 1000;

const TEXT_FIELDS = { request_id: 1, subject: 1, first_text: 1, rating_message: 1, snapshot: 1 } as const;

/** Yields all matches as one window. */
export async function* visitorWindow(search: Search): AsyncGenerator<SearchWindow> {
  const { filter, words } = search;
  const page = { sort: { createdAt: -1 }, limit: MAX_CONVERSATIONS, maxTimeMS: MAX_TIME_MS } as const;
  const requests = await readMany(Conversation, filter, { fields: TEXT_FIELDS, ...page });
  const ids = requests.map(({ request_id }) => request_id);
  const wordCounts = countWords(
    await messagesWith({ id_project: filter.id_project, words, more: NOT_PRIVATE }, ids, {}),
  );
  const matches = requests.flatMap(({ _id, request_id, ...texts }) => {
    const own = new Set(extractKeywords(...visitorTexts(texts as object).map(([, text]) => text)));
    const score = scoreOf(words, own, wordCounts.get(request_id));
    return score ? { request_id, newestHitId: String(_id), score } : [];
  });
  yield { range: { word: '' }, matches: sortMatches(search, await withPhrases(search, matches, {})) };
}
