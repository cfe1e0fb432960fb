/** Replies to questions that request only chunks. */
import type { RetrievalResult } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { toSeconds } from './qa-reply.ts';

/** Returns a reply that contains only the chunks. */
export const toChunksReply = (
  { chunks, mode }: RetrievalResult,
  { input, ms }: { input: { namespace: string }; ms: number },
) => ({
  success: chunks.length > 0,
  namespace: input.namespace,
  chunks: chunks.map(({ text }) => text),
  metadata: chunks.map(({ content, source, name, headings, score, similarity }) => ({
    id: content,
    source,
    name,
    headings,
    score,
    ...(similarity === undefined ? {} : { similarity }),
  })),
  chunk_ids: chunks.map(({ id }) => id),
  error_message: chunks.length ? null : 'No chunks found with the current filters.',
  search_mode: mode,
  duration: toSeconds(ms),
});
