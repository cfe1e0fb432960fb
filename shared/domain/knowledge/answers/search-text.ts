/**
 * Determines the text of a search for chunks. A follow-up question such as "And on Sundays?" is completed from
 * the chat history. With `use_hyde`, a passage that the chat model writes as a possible answer is added.
 */
import { isChatConfigured } from '../../../ai/chat-model.ts';
import { contentWords } from '../retrieval/question-words.ts';
import { type CachedCallContext, callModelOrCache } from './cached-calls.ts';
import { historyMessages, type PromptInput } from './prompt.ts';

/** The options of a question that determine the text of its search. */
export interface SearchTextInput extends PromptInput {
  model?: string | null;
  /** Whether a follow-up question is completed from the chat history; default true. */
  contextualize_prompt?: boolean;
  use_hyde?: boolean;
}

const COMPLETE_QUESTION =
  'Rewrite the last question so that it can be understood without the conversation. Keep its language. Return only the question; return it unchanged if it is complete.';
const WRITE_PASSAGE =
  'Write a short passage of a help page that answers the question, in its language. Return only the passage.';
const MAX_TOKENS = 200;
const MAX_CHARACTERS = 2000;
/** Maximum size of the chat history from which a question is completed. */
const HISTORY_BYTES = 8000;
/** Without a chat model, a question with at most this many significant words is treated as a follow-up question. */
const MAX_WORDS_OF_FOLLOW_UP = 2;

type Messages = ReturnType<typeof historyMessages>;

/** Returns the text that the model writes, on one line; an empty text if it is too long. */
const write = async ({ model }: SearchTextInput, messages: Messages, context: CachedCallContext): Promise<string> => {
  const { text } = await callModelOrCache({ model, messages, maxTokens: MAX_TOKENS, temperature: 0 }, context);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_CHARACTERS ? line : '';
};

const completeWithModel = async (input: SearchTextInput, history: Messages, context: CachedCallContext) => {
  const question = { role: 'user' as const, content: `${COMPLETE_QUESTION}\n\n${input.question}` };
  return (await write(input, [...history, question], context)) || input.question;
};

/** If a question has few significant words, puts the previous question before it. */
const completeWithoutModel = ({ question }: SearchTextInput, history: Messages): string => {
  const previous = history.findLast(({ role }) => role === 'user')?.content ?? '';
  return contentWords(question).length <= MAX_WORDS_OF_FOLLOW_UP ? `${previous} ${question}` : question;
};

/** Returns the question in a form that can be understood without the chat history. */
export const completeQuestion = async (input: SearchTextInput, context: CachedCallContext): Promise<string> => {
  const history = input.contextualize_prompt === false ? [] : historyMessages(input, HISTORY_BYTES);
  if (!history.length) return input.question;
  return isChatConfigured() ? completeWithModel(input, history, context) : completeWithoutModel(input, history);
};

/** Returns the text of the search for chunks; `question` is the completed question. */
export const searchText = async (
  question: string,
  input: SearchTextInput,
  context: CachedCallContext,
): Promise<string> => {
  if (!input.use_hyde || !isChatConfigured()) return question;
  const messages: Messages = [
    { role: 'system', content: WRITE_PASSAGE },
    { role: 'user', content: question },
  ];
  return `${question}\n${await write(input, messages, context)}`;
};
