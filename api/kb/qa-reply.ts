import { z } from 'zod';
import type { Answered } from '#shared/domain/answers.ts';
import type { Retrieved } from '#shared/retrieval/retrieve.ts';

const Turn = z.strictObject({ question: z.string(), answer: z.string() });
const common = {
  success: z.boolean(),
  namespace: z.string(),
  error_message: z.string().nullable(),
  duration: z.number().meta({ description: 'Seconds' }),
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

interface About {
  namespace: string;
  started: number;
  asked: {
    question: string;
    citations: boolean;
    chat_history_dict?: Record<string, { question: string; answer: string }>;
  };
}

const secondsSince = (started: number): number => Math.round(performance.now() - started) / 1000;
const unique = (values: string[]): string[] => [...new Set(values)];

/** An answer on the wire; without a chat model its citations are always told (decision 24). */
export const qaReply = (
  { answer, success, model, promptTokens, used, citations }: Answered,
  { namespace, asked, started }: About,
) => {
  const ids = unique(used.map(({ content }) => content));
  const tells = asked.citations || model === 'extractive';
  const sources = unique((tells ? citations : used).map(({ source }) => source));
  const history = asked.chat_history_dict ?? {};
  return {
    answer,
    success,
    namespace,
    model,
    ids,
    sources,
    id: ids[0] ?? null,
    source: sources.join(' '),
    content_chunks: null,
    prompt_token_size: promptTokens,
    error_message: null,
    chat_history_dict: { ...history, [Object.keys(history).length]: { question: asked.question, answer } },
    citations: tells ? citations : null,
    duration: secondsSince(started),
  };
};

/** The passages alone. */
export const chunksReply = ({ passages }: Retrieved, { namespace, started }: About) => ({
  success: passages.length > 0,
  namespace,
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
  duration: secondsSince(started),
});
