/** Answers questions to internal bots from a knowledge base. */
import { answerQuestion, searchQuestion } from '#shared/domain/knowledge/answers/answer-question.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { logger } from '#shared/logger.ts';
import type { BotReply } from './build-replies.ts';

const TIMEOUT_MS = 20_000;
const CHUNKS = 5;
const ANSWER_TOKENS = 512;

const questionInput = (question: string) => ({
  ...{ question, top_k: CHUNKS, max_tokens: ANSWER_TOKENS, temperature: 0, citations: true, advancedPrompt: false },
  ...{ chat_history_dict: {}, include_history_in_prompt: false, max_history_messages: 0 },
});

const answerFrom = async (id_project: string, namespace: string, question: string): Promise<BotReply | null> => {
  await namespaces.find(id_project, namespace);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const key = { id_project, namespace };
  const input = questionInput(question);
  const search = await searchQuestion(key, input, signal);
  const { success, answer, citations, model } = await answerQuestion(key, { input, search }, signal);
  return success ? { text: answer, attributes: { citations, kb: { namespace, model } } } : null;
};

/**
 * Answers a question from a knowledge base, with the citations in the attributes of the reply. Returns null if the
 * knowledge base has no answer or the search fails; the bot then continues without it.
 */
export const askKnowledgeBase = async (
  { id_project, namespace }: { id_project: string; namespace: string },
  question: string,
): Promise<BotReply | null> => {
  if (!namespace || !question.trim()) return null;
  try {
    return await answerFrom(id_project, namespace, question);
  } catch (error) {
    logger.warn({ err: error, id_project, namespace }, 'bot could not query the knowledge base');
    return null;
  }
};
