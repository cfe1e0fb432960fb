/** A visitor's search among its own conversations: by what it sees of them, and by nothing else (decision 57). */
import { Request } from '../../models/request.ts';
import { readMany } from '../../read.ts';
import { visibleTextsOf } from '../../search/request-texts.ts';
import { wordsOf } from '../../search/words.ts';
import { PATIENCE_MS } from './hits.ts';
import { counted, messagesWith, NOT_PRIVATE, scoreOf } from './matches.ts';
import { withPhrases } from './phrases.ts';
import { inOrder, type Search, type Window } from './search.ts';

/** Conversations of one visitor that are looked through, the newest. */
const MOST = 1000;

const TEXTS = { request_id: 1, subject: 1, first_text: 1, rating_message: 1, snapshot: 1 } as const;

/** All that is found, as one window. */
export async function* ownWindow(search: Search): AsyncGenerator<Window> {
  const { filter, words } = search;
  const page = { sort: { createdAt: -1 }, limit: MOST, maxTimeMS: PATIENCE_MS } as const;
  const requests = await readMany(Request, filter, { fields: TEXTS, ...page });
  const ids = requests.map(({ request_id }) => request_id);
  const said = counted(await messagesWith({ id_project: filter.id_project, words, more: NOT_PRIVATE }, ids, {}));
  const matches = requests.flatMap(({ _id, request_id, ...texts }) => {
    const own = new Set(wordsOf(...visibleTextsOf(texts as object).map(([, text]) => text)));
    const score = scoreOf(words, own, said.get(request_id));
    return score ? { request_id, at: String(_id), score } : [];
  });
  yield { stretch: { word: '' }, matches: inOrder(search, await withPhrases(search, matches, {})) };
}
