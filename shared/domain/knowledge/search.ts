/** Searches the chunks of a namespace. */
import { IndexMissingError } from '../../vectors/index.ts';
import { markIndexMissing, type NamespaceKey } from './indexing/chunks.ts';
import { type RetrievalResult, retrieve } from './retrieval/retrieve.ts';
import type { TagExpression } from './retrieval/tag-expression.ts';

interface SearchOptions {
  question: string;
  top_k: number;
  alpha?: number;
  search_type?: 'similarity' | 'mmr' | 'hybrid';
  tags?: TagExpression;
  /** Minimum cosine similarity between a chunk and the question; only for namespaces that are searched with vectors. */
  similarity_threshold?: number;
}

/**
 * Finds the chunks that may answer a question. Throws 503 while the index is unavailable or being rebuilt. If the index
 * is missing, its namespace is marked, so that the next sweep rebuilds the index.
 */
export const findChunks = async (
  namespaceKey: NamespaceKey,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<RetrievalResult> => {
  const { question, top_k: limit, alpha, search_type: searchType, tags, similarity_threshold: minSimilarity } = options;
  try {
    return await retrieve(namespaceKey, question, { limit, alpha, searchType, tags, minSimilarity, signal });
  } catch (error) {
    if (error instanceof IndexMissingError) await markIndexMissing(namespaceKey);
    throw error;
  }
};
