/** Answers questions to internal bots from a knowledge base. */
import { answerQuestion, searchQuestion } from '#shared/domain/knowledge/answers/answer-question.ts';
import type { NamespaceKey } from '#shared/domain/knowledge/indexing/chunks.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { logger } from '#shared/logger.ts';
import type { BotReply } from './build-replies.ts';

const TIMEOUT_MS = 20_000;
const CHUNKS = 5;
const ANSWER_TOKENS = 512;

/** A visitor's question. `request_id` (the conversation) and `sender` (the visitor) are logged with it. */
interface VisitorQuestion {
  question: string;
  request_id: string;
  sender: string;
}

const questionInput = (question: VisitorQuestion) => ({
  ...{ ...question, top_k: CHUNKS, max_tokens: ANSWER_TOKENS, temperature: 0 },
  ...{ citations: true, advancedPrompt: false },
  ...{ chat_history_dict: {}, include_history_in_prompt: false, max_history_messages: 0 },
});

const answerFrom = async (key: NamespaceKey, question: VisitorQuestion): Promise<BotReply | null> => {
  const { id_project, namespace } = key;
  await namespaces.find(id_project, namespace);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const input = questionInput(question);
  const search = await searchQuestion(key, input, signal);
  const result = await answerQuestion(key, { input, search }, signal);
  if (!result.success) return null;
  const { answer, citations, model, quotations } = result;
  const invented = quotations.filter(({ verified }) => !verified).map(({ text }) => text);
  const kb = { namespace, model, ...(invented.length ? { invented_quotations: invented } : {}) };
  return { text: answer, attributes: { citations, kb } };
};

/**
 * Answers a question from a knowledge base, with the citations in the attributes of the reply. Returns null if the
 * knowledge base has no answer or the search fails; the bot then continues without an answer.
 */
export const askKnowledgeBase = async (key: NamespaceKey, question: VisitorQuestion): Promise<BotReply | null> => {
  if (!key.namespace || !question.question.trim()) return null;
  try {
    return await answerFrom(key, question);
  } catch (error) {
    logger.warn({ err: error, ...key }, 'bot could not query the knowledge base');
    return null;
  }
};
