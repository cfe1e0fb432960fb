import { z } from 'zod';
import type { Answered } from '#shared/domain/knowledge/answers.ts';
import type { Retrieved } from '#shared/retrieval/retrieve.ts';

const Turn = z.strictObject({ question: z.string(), answer: z.string() });
const common = {
  success: z.boolean(),
  namespace: z.string(),
  error_message: z.string().nullable(),
  duration: z.number().meta({ description: 'Seconds; of a stream, to its first piece' }),
  search_mode: z
    .enum(['hybrid', 'full text'])
    .meta({ description: '`full text` where no model turns texts into vectors' }),
};

const Answer = z.strictObject({
  ...common,
  answer: z.string(),
  model: z.string().meta({ description: '`extractive` without a chat model' }),
  id: z.string().nullable(),
  ids: z.array(z.string()),
  source: z.string(),
  sources: z.array(z.string()),
  content_chunks: z.array(z.string()).nullable(),
  prompt_token_size: z.number(),
  chat_history_dict: z.record(z.string(), Turn),
  citations: z.array(z.strictObject({ source_id: z.number(), source_name: z.string(), source: z.string() })).nullable(),
});

const Chunks = z.strictObject({
  ...common,
  chunks: z.array(z.string()),
  metadata: z.array(z.record(z.string(), z.unknown())),
  chunk_ids: z.array(z.string()),
});

/** The answer, or with `chunks_only` the passages alone (contract c 3.4). */
export const QaReply = z.union([Answer, Chunks]);

interface Asked {
  namespace: string;
  question: string;
  citations: boolean;
  chat_history_dict: Record<string, { question: string; answer: string }>;
}

const seconds = (ms: number): number => Math.round(ms) / 1000;
const unique = (values: string[]): string[] => [...new Set(values)];

/** The history with this turn at its end. */
const historyOf = ({ chat_history_dict: turns, question }: Asked, answer: string) => {
  const next = Math.max(-1, ...Object.keys(turns).map(Number)) + 1;
  return { ...turns, [next]: { question, answer } };
};

/** An answer on the wire; without a chat model its citations are always told (decision 24). */
export const qaReply = (
  { answer, success, model, promptTokens, used, citations }: Answered,
  { asked, mode, ms }: { asked: Asked; mode: Retrieved['mode']; ms: number },
) => {
  const ids = unique(used.map(({ content }) => content));
  const tells = asked.citations || model === 'extractive';
  const sources = unique((tells ? citations : used).map(({ source }) => source));
  return {
    answer,
    success,
    namespace: asked.namespace,
    model,
    ids,
    sources,
    id: ids[0] ?? null,
    source: sources.join(' '),
    content_chunks: null,
    prompt_token_size: promptTokens,
    error_message: null,
    chat_history_dict: historyOf(asked, answer),
    citations: tells ? citations : null,
    search_mode: mode,
    duration: seconds(ms),
  };
};

/** The passages alone. */
export const chunksReply = ({ passages, mode }: Retrieved, { asked, ms }: { asked: Asked; ms: number }) => ({
  success: passages.length > 0,
  namespace: asked.namespace,
  chunks: passages.map(({ text }) => text),
  metadata: passages.map(({ content, source, name, headings, score }) => ({
    id: content,
    source,
    name,
    headings,
    score,
  })),
  chunk_ids: passages.map(({ id }) => id),
  error_message: passages.length ? null : 'No chunks found with the current filters.',
  search_mode: mode,
  duration: seconds(ms),
});
