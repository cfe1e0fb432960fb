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

/** Returns all searchable texts, including those that only the team may see. */
export const conversationTexts = (conversation: SearchableConversation): PathText[] => [
  ...visitorTexts(conversation),
  ...(conversation.tags ?? []).map(({ tag }): PathText => ['tags.tag', tag]),
  ...(conversation.notes ?? []).map(({ text }): PathText => ['notes.text', text]),
];

/** Returns the search keywords of a conversation's own texts. */
export const conversationKeywords = (conversation: SearchableConversation): string[] =>
  extractKeywords(...conversationTexts(conversation).map(([, text]) => text));

const KEYWORD_SOURCE_FIELDS = ['subject', 'first_text', 'rating_message', 'tags', 'notes', 'snapshot.lead'];

/** Returns the new search keywords if the update sets a searched field; otherwise an empty update. */
export const keywordUpdate = (
  before: SearchableConversation,
  set: Record<string, unknown>,
): { keywords?: string[] } => {
  if (!KEYWORD_SOURCE_FIELDS.some((field) => field in set)) return {};
  const { 'snapshot.lead': lead = before.snapshot?.lead, ...fields } = set as { 'snapshot.lead'?: object };
  return { keywords: conversationKeywords({ ...before, ...fields, snapshot: { lead } }) };
};
