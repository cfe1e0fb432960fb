/** What was found in conversations, for who may see it. */
import { Message } from '../../models/message.ts';
import { readMany } from '../../read.ts';
import { type Highlight, highlights } from '../../search/highlights.ts';
import { textsOf, visibleTextsOf } from '../../search/request-texts.ts';
import type { StoredRequest } from '../conversations/requests.ts';
import { BY_CONVERSATION, PATIENCE_MS, SAID_IN_ONE } from './hits.ts';
import { NOT_PRIVATE } from './matches.ts';

/** Messages read for each conversation of a page, at most. */
const EACH = 5;

/** The texts of each conversation in which one of the words stands; of a visitor's search those that it sees. */
export const highlighted = async (
  id_project: string,
  requests: StoredRequest[],
  { words, isVisitor }: { words: string[]; isVisitor: boolean },
): Promise<Map<string, Highlight[]>> => {
  const recipient = { $in: requests.map(({ request_id }) => request_id) };
  const filter = { id_project, recipient, words: { $in: words }, ...SAID_IN_ONE, ...(isVisitor ? NOT_PRIVATE : {}) };
  const page = {
    sort: { _id: -1 },
    limit: EACH * requests.length,
    maxTimeMS: PATIENCE_MS,
    hint: BY_CONVERSATION,
  } as const;
  const messages = requests.length
    ? await readMany(Message, filter, { fields: { recipient: 1, text: 1 }, ...page })
    : [];
  const said = Map.groupBy(messages, (message) => message.recipient);
  return new Map(
    requests.map((request) => {
      const texts = isVisitor ? visibleTextsOf(request) : textsOf(request);
      const all = (said.get(request.request_id) ?? []).map(({ text }): [string, typeof text] => [
        'messages.text',
        text,
      ]);
      return [request.request_id, highlights([...texts, ...all], (word) => words.includes(word))];
    }),
  );
};
