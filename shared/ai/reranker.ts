/**
 * The configured reranker: a service with a `/rerank` endpoint like that of Jina, Cohere, vLLM or LiteLLM, which
 * compares documents with a question. Its address and key come from the settings, never from a request.
 */
import { config } from '../config.ts';
import { Provider } from './provider.ts';
import { badAnswerError } from './provider-errors.ts';

/** Whether a reranker is configured. */
export const isRerankerConfigured = (): boolean => config.RERANK_BASE_URL !== undefined;

/** The positions of the documents (from 0), best first, and the token count that the service reports (0 if none). */
export interface Reranking {
  order: number[];
  tokens: number;
}

/** The fields of a response that are read. `usage` is Jina's and vLLM's; `meta` is Cohere's. */
interface RerankResponse {
  results?: { index?: unknown; relevance_score?: unknown }[];
  usage?: { total_tokens?: unknown };
  meta?: { tokens?: { input_tokens?: unknown } };
}

let service: Provider | undefined;

const reranker = (): Provider => {
  service ??= new Provider({
    ...config,
    OPENAI_BASE_URL: config.RERANK_BASE_URL,
    OPENAI_API_KEY: config.RERANK_API_KEY,
  });
  return service;
};

const orderOf = ({ results }: RerankResponse, count: number): number[] => {
  if (!Array.isArray(results)) throw badAnswerError('it contains no results');
  const scored = results.map((result) => ({ index: Number(result?.index), score: Number(result?.relevance_score) }));
  const isValid = ({ index, score }: { index: number; score: number }) =>
    Number.isInteger(index) && index >= 0 && index < count && Number.isFinite(score);
  if (!scored.every(isValid)) throw badAnswerError('a result has no valid index and score');
  const order = scored.toSorted((one, other) => other.score - one.score).map(({ index }) => index);
  return [...new Set(order)];
};

/** Compares documents with a question. The service may omit documents. Throws the errors of `chat` in chat-model.ts. */
export const rerank = async (question: string, documents: string[], signal: AbortSignal): Promise<Reranking> => {
  using call = reranker().deadline(signal);
  const { RERANK_MODEL: model } = config;
  const body = { ...(model ? { model } : {}), query: question, documents, top_n: documents.length };
  const response = await reranker().call(
    (client, options) => client.post<RerankResponse | null>('/rerank', { body, ...options }),
    call.signal,
  );
  const tokens = Number(response?.usage?.total_tokens ?? response?.meta?.tokens?.input_tokens ?? 0);
  return { order: orderOf(response ?? {}, documents.length), tokens: Number.isFinite(tokens) ? tokens : 0 };
};
