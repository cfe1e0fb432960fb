/** The searchable texts of a conversation, apart from its messages. */
import { extractKeywords } from './words.ts';

type OptionalText = string | null | undefined;
type PathText = [path: string, text: OptionalText];

/** The fields of a conversation that are searched. */
interface SearchableConversation {
  subject?: OptionalText;
  first_text?: OptionalText;
  rating_message?: OptionalText;
  tags?: { tag?: OptionalText }[];
  notes?: { text?: OptionalText }[];
  snapshot?: { lead?: { fullname?: OptionalText; email?: OptionalText } };
}

/** The projection of the fields of a conversation that are searched. */
export const CONVERSATION_TEXT_FIELDS = {
  subject: 1,
  first_text: 1,
  rating_message: 1,
  tags: 1,
  notes: 1,
  snapshot: 1,
} as const;

/** Returns the searchable texts that the visitor may see. */
export const visitorTexts = ({ subject, first_text, rating_message, snapshot }: SearchableConversation): PathText[] => [
  ['subject', subject],
  ['first_text', first_text],
  ['rating_message', rating_message],
  ['lead.fullname', snapshot?.lead?.fullname],
  ['lead.email', snapshot?.lead?.email],
];

/** Returns all searchable texts. */
export const conversationTexts = (request: SearchableConversation): PathText[] => [
  ...visitorTexts(request),
  ...(request.tags ?? []).map(({ tag }): PathText => ['tags.tag', tag]),
  ...(request.notes ?? []).map(({ text }): PathText => ['notes.text', text]),
];

/** The words of a whole conversation. */
export const conversationKeywords = (request: SearchableConversation): string[] =>
  extractKeywords(...conversationTexts(request).map(([, text]) => text));

const KEYWORD_SOURCE_FIELDS = ['subject', 'first_text', 'rating_message', 'tags', 'notes', 'snapshot.lead'];

/** Returns the new search words if the update changes one of the searched fields; otherwise an empty update. */
export const keywordUpdate = (
  before: SearchableConversation,
  set: Record<string, unknown>,
): { keywords?: string[] } => {
  if (!KEYWORD_SOURCE_FIELDS.some((field) => field in set)) return {};
  const { 'snapshot.lead': lead = before.snapshot?.lead, ...fields } = set as { 'snapshot.lead'?: object };
  return { keywords: conversationKeywords({ ...before, ...fields, snapshot: { lead } }) };
};
