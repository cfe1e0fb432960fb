/** Rejects options of a question that need a model, unless such a model is configured. */
import { isChatConfigured } from '#shared/ai/chat-model.ts';
import { isRerankerConfigured } from '#shared/ai/reranker.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { invalidField } from '#shared/errors.ts';

/** Why an option that needs a chat model is refused. */
export const NO_CHAT_MODEL = 'no chat model is configured (the setting CHAT_MODEL)';

/** The options of a question that need a model. */
interface ModelOptions {
  use_hyde: boolean;
  thinking?: object;
  reranking: boolean;
  similarity_threshold?: number;
}

/** Throws 422 for an option whose model is not configured. */
export const checkOptions = ({ use_hyde, thinking, reranking, similarity_threshold }: ModelOptions): void => {
  const hasVectors = embedder() !== null;
  if (use_hyde && !isChatConfigured()) throw invalidField('use_hyde', `must be false: ${NO_CHAT_MODEL}`);
  if (thinking && !isChatConfigured()) throw invalidField('thinking', `must be omitted: ${NO_CHAT_MODEL}`);
  if (reranking && !hasVectors && !isRerankerConfigured())
    throw invalidField(
      'reranking',
      'must be false: neither a reranker (the setting RERANK_BASE_URL) nor an embedding model is configured',
    );
  if (similarity_threshold !== undefined && !hasVectors)
    throw invalidField('similarity_threshold', 'must be omitted or 1: no embedding model is configured');
};
