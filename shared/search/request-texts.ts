/** The texts by which a conversation is found, beside its messages (contract b 1.3). */
import { wordsOf } from './words.ts';

type Text = string | null | undefined;
type Placed = [path: string, text: Text];

/** As much of a conversation as has texts. */
interface Worded {
  subject?: Text;
  first_text?: Text;
  rating_message?: Text;
  tags?: { tag?: Text }[];
  notes?: { text?: Text }[];
  snapshot?: { lead?: { fullname?: Text; email?: Text } };
}

/** Those that the visitor sees. */
export const visibleTextsOf = ({ subject, first_text, rating_message, snapshot }: Worded): Placed[] => [
  ['subject', subject],
  ['first_text', first_text],
  ['rating_message', rating_message],
  ['lead.fullname', snapshot?.lead?.fullname],
  ['lead.email', snapshot?.lead?.email],
];

/** All of them. */
export const textsOf = (request: Worded): Placed[] => [
  ...visibleTextsOf(request),
  ...(request.tags ?? []).map(({ tag }): Placed => ['tags.tag', tag]),
  ...(request.notes ?? []).map(({ text }): Placed => ['notes.text', text]),
];

/** The words of a whole conversation. */
export const wordsOfRequest = (request: Worded): string[] => wordsOf(...textsOf(request).map(([, text]) => text));

const WORDED = ['subject', 'first_text', 'rating_message', 'tags', 'notes', 'snapshot.lead'];

/** The words to be set where one of the texts is. */
export const rewording = (before: Worded, set: Record<string, unknown>): { words?: string[] } => {
  if (!WORDED.some((field) => field in set)) return {};
  const { 'snapshot.lead': lead = before.snapshot?.lead, ...fields } = set as { 'snapshot.lead'?: object };
  return { words: wordsOfRequest({ ...before, ...fields, snapshot: { lead } }) };
};
