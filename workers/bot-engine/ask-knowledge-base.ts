/** Answers questions to internal bots from a knowledge base. */
import { generateAnswer } from '#shared/domain/knowledge/answers/generate-answer.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { findChunks } from '#shared/domain/knowledge/search.ts';
import * as questions from '#shared/domain/knowledge/unanswered-questions.ts';
import { logger } from '#shared/logger.ts';
import type { BotReply } from './build-replies.ts';

const TIMEOUT_MS = 20_000;
const CHUNKS = 5;
const ANSWER_TOKENS = 512;

const answerInput = (question: string) => ({
  ...{ question, max_tokens: ANSWER_TOKENS, temperature: 0, citations: true, advancedPrompt: false },
  ...{ chat_history_dict: {}, include_history_in_prompt: false, max_history_messages: 0 },
});

const answerFrom = async (id_project: string, namespace: string, question: string): Promise<BotReply | null> => {
  await namespaces.find(id_project, namespace);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const retrieved = await findChunks({ id_project, namespace }, { question, top_k: CHUNKS }, signal);
  const { success, answer, citations, model } = await generateAnswer(answerInput(question), retrieved, {
    project: id_project,
    signal,
  });
  if (success) return { text: answer, attributes: { citations, kb: { namespace, model } } };
  await questions.add(id_project, { namespace, question });
  return null;
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
