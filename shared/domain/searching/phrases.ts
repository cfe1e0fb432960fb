/**
 * Which of the conversations that have all words have the phrases too. Records keep words without their order, so the
 * words find the conversations, and their texts are read only then.
 */
import { Types } from 'mongoose';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { readEach, readMany } from '../../read.ts';
import { phrasesIn } from '../../search/phrases.ts';
import { textsOf, visibleTextsOf } from '../../search/request-texts.ts';
import { BY_CONVERSATION, BY_NAME, PATIENCE_MS, SAID_IN_ONE, type Stretch } from './hits.ts';
import { type Match, NOT_PRIVATE } from './matches.ts';

/** Most messages that are read for the matches of one window. */
const MOST_TEXTS = 20_000;

const TEXTS = { request_id: 1, subject: 1, first_text: 1, rating_message: 1, tags: 1, notes: 1, snapshot: 1 } as const;

/** As much of a search as its phrases need. */
interface Search {
  filter: { id_project: string };
  phrases: string[][];
  isVisitor: boolean;
}

/** The phrases that each conversation still lacks. */
type Missing = Map<string, string[][]>;

const strike = (missing: Missing, request_id: string, texts: (string | null | undefined)[]): void => {
  const left = missing.get(request_id);
  if (!left) return;
  const found = new Set(texts.flatMap((text) => phrasesIn(text ?? '', left)));
  const rest = left.filter((phrase) => !found.has(phrase));
  if (rest.length) missing.set(request_id, rest);
  else missing.delete(request_id);
};

const strikeOwn = async ({ filter: { id_project }, isVisitor }: Search, missing: Missing): Promise<void> => {
  const filter = { id_project, request_id: { $in: [...missing.keys()] } };
  const requests = await readMany(Request, filter, { fields: TEXTS, maxTimeMS: PATIENCE_MS, hint: BY_NAME });
  for (const { request_id, ...fields } of requests) {
    const texts = isVisitor ? visibleTextsOf(fields) : textsOf(fields);
    strike(
      missing,
      request_id,
      texts.map(([, text]) => text),
    );
  }
};

const strikeSaid = async ({ filter, phrases, isVisitor }: Search, missing: Missing, top?: string): Promise<void> => {
  const said = {
    id_project: filter.id_project,
    recipient: { $in: [...missing.keys()] },
    $or: phrases.map((words) => ({ words: { $all: words } })),
    ...SAID_IN_ONE,
    ...(top ? { _id: { $lte: new Types.ObjectId(top) } } : {}),
    ...(isVisitor ? NOT_PRIVATE : {}),
  };
  const page = { limit: MOST_TEXTS, maxTimeMS: PATIENCE_MS, hint: BY_CONVERSATION } as const;
  for await (const { recipient, text } of readEach(Message, said, { fields: { recipient: 1, text: 1 }, ...page })) {
    strike(missing, recipient, [text]);
    if (!missing.size) return;
  }
};

/** The matches that have every phrase, each within one text. */
export const withPhrases = async (
  search: Search,
  matches: Match[],
  { top }: Pick<Stretch, 'top'>,
): Promise<Match[]> => {
  if (!search.phrases.length || !matches.length) return matches;
  const missing: Missing = new Map(matches.map(({ request_id }) => [request_id, search.phrases]));
  await strikeOwn(search, missing);
  if (missing.size) await strikeSaid(search, missing, top);
  return matches.filter(({ request_id }) => !missing.has(request_id));
};
