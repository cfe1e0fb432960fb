import { retrieve, type Retrieved } from '../../retrieval/retrieve.ts';
import { IndexLost } from '../../vectors/index.ts';
import { lost } from './index-places.ts';

interface Options {
  question: string;
  top_k: number;
  alpha?: number;
  search_type?: 'similarity' | 'mmr' | 'hybrid';
  tags?: string[];
}

/** The passages that may answer; 503 while the store is away or, its loss noted, is being rebuilt (faults F8). */
export const find = async (
  where: { id_project: string; namespace: string },
  options: Options,
  signal: AbortSignal,
): Promise<Retrieved> => {
  const { question, top_k, alpha, search_type, tags } = options;
  try {
    return await retrieve(where, question, { limit: top_k, alpha, searchType: search_type, tags, signal });
  } catch (error) {
    if (error instanceof IndexLost) await lost({ id_project: where.id_project, id: where.namespace });
    throw error;
  }
};
