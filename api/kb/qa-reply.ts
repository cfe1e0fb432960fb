/** Replies to questions. */
import { z } from 'zod';
import type { AnswerResult } from '#shared/domain/knowledge/answers/answer-result.ts';
import { reportedPromptTokens } from '#shared/domain/knowledge/answers/token-budget.ts';
import type { RetrievalResult } from '#shared/domain/knowledge/retrieval/retrieve.ts';

const HistoryTurn = z.strictObject({ question: z.string(), answer: z.string() });
const commonFields = {
  success: z.boolean(),
  namespace: z.string(),
  error_message: z.string().nullable(),
  duration: z
    .number()
    .meta({ description: 'Seconds that the call took; for a stream, until the first piece of the answer' }),
  search_mode: z.enum(['hybrid', 'full text']).meta({ description: '`full text` if no embedding model is configured' }),
};

const Position = z.number().nullable();
const QuotationView = z
  .strictObject({
    text: z.string(),
    answer_start: z.number(),
    answer_end: z.number(),
    verified: z
      .boolean()
      .meta({ description: 'False if no chunk of the prompt contains the quotation: the model has invented it' }),
    source_id: z.number().nullable().meta({ description: 'Number of the chunk that contains the quotation' }),
    chunk_id: z.string().nullable(),
    chunk_start: Position,
    chunk_end: Position,
  })
  .meta({ description: 'Positions are in UTF-16 code units, in `answer` and in the text of the chunk' });

const AnswerReply = z.strictObject({
  ...commonFields,
  answer: z.string(),
  model: z.string().meta({
    description:
      'The chat model. `faq`: the answer comes from a FAQ with the same question; `extractive`: it quotes the contents, because no chat model is configured',
  }),
  id: z.string().nullable(),
  ids: z.array(z.string()),
  source: z.string(),
  sources: z.array(z.string()),
  content_chunks: z.array(z.string()).nullable(),
  prompt_token_size: z.number().meta({
    description:
      'Tokens of the prompt, multiplied by the factor that the setting `AI_MODELS` has for the model; default: 1',
  }),
  legacy_prompt_token_size: z.number().optional().meta({ description: 'Tokens of the prompt; only with a chat model' }),
  chat_history_dict: z.record(z.string(), HistoryTurn),
  citations: z.array(z.strictObject({ source_id: z.number(), source_name: z.string(), source: z.string() })).nullable(),
  quotations: z.array(QuotationView).meta({ description: 'Quotations in a generated answer' }),
  unknown_citations: z
    .array(z.number())
    .meta({ description: 'Chunk numbers that a generated answer cites, but that no chunk of the prompt has' }),
  cache_level: z
    .literal('exact')
    .optional()
    .meta({ description: 'Present if the answer comes from the cache, which requires an identical prompt' }),
  cache_similarity: z
    .literal(1)
    .optional()
    .meta({ description: 'Present with `cache_level`; 1: the prompts are identical' }),
});

const ChunksReply = z.strictObject({
  ...commonFields,
  chunks: z.array(z.string()),
  metadata: z.array(z.record(z.string(), z.unknown())),
  chunk_ids: z.array(z.string()),
});

/** The reply: an answer or, with `chunks_only`, only the chunks. */
export const QaReply = z.union([AnswerReply, ChunksReply]);

interface QuestionContext {
  namespace: string;
  question: string;
  model?: string | null;
  citations: boolean;
  chat_history_dict: Record<string, { question: string; answer: string }>;
}

export const toSeconds = (ms: number): number => Math.round(ms) / 1000;
const withoutDuplicates = (values: string[]): string[] => [...new Set(values)];

/** Returns the history followed by the question and its answer. */
const extendHistory = ({ chat_history_dict: turns, question }: QuestionContext, answer: string) => {
  const next = Math.max(-1, ...Object.keys(turns).map(Number)) + 1;
  return { ...turns, [next]: { question, answer } };
};

/** The values of `model` for answers that are not generated; these answers always have citations. */
const CITING_MODELS = ['extractive', 'faq'];

/** Returns the reply that contains an answer. */
export const toQaReply = (
  { answer, success, model, promptTokens, usedChunks, citations, quotations, unknownCitations, isCached }: AnswerResult,
  { input, mode, ms }: { input: QuestionContext; mode: RetrievalResult['mode']; ms: number },
) => {
  const ids = withoutDuplicates(usedChunks.map(({ content }) => content));
  const showsCitations = input.citations || CITING_MODELS.includes(model);
  const sources = withoutDuplicates((showsCitations ? citations : usedChunks).map(({ source }) => source));
  return {
    answer,
    success,
    namespace: input.namespace,
    model,
    ids,
    sources,
    id: ids[0] ?? null,
    source: sources.join(' '),
    content_chunks: null,
    prompt_token_size: reportedPromptTokens(input.model, promptTokens),
    ...(promptTokens ? { legacy_prompt_token_size: promptTokens } : {}),
    error_message: null,
    chat_history_dict: extendHistory(input, answer),
    citations: showsCitations ? citations : null,
    quotations,
    unknown_citations: unknownCitations,
    ...(isCached ? { cache_level: 'exact' as const, cache_similarity: 1 as const } : {}),
    search_mode: mode,
    duration: toSeconds(ms),
  };
};
