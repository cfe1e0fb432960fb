/** Endpoints that call a chat model directly. */
import { z } from 'zod';
import { previewAnswer } from '#shared/domain/chat-preview/preview-answer.ts';
import { decimal, integer } from '#shared/wire/coercion.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { ThinkingInput } from './thinking-input.ts';

const PreviewInput = z.object({
  llm: z.string().trim().min(1).max(INPUT_LIMITS.name).meta({ description: 'The provider: `openai`' }),
  question: z.string().trim().min(1).max(INPUT_LIMITS.instructions),
  model: z.string().max(INPUT_LIMITS.name).optional(),
  context: z.string().max(INPUT_LIMITS.instructions).optional().meta({ description: 'Instructions for the model' }),
  max_tokens: integer(1, INPUT_LIMITS.answerTokens).default(256),
  temperature: decimal(0, 2).default(0.7),
  thinking: ThinkingInput,
  vllmServer: z.string().max(INPUT_LIMITS.name).optional(),
});

const ChatTurn = z.strictObject({ question: z.string(), answer: z.string() });

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/llm/preview',
    role: 'admin',
    programs: 'all',
    summary: 'Try a prompt with a chat model',
    body: PreviewInput,
    missingParameterErrors: { llm: "Missing required parameter 'llm'" },
    reply: z.strictObject({
      answer: z.string(),
      tools_log: z.null(),
      chat_history_dict: z.record(z.string(), ChatTurn),
      prompt_token_info: z.strictObject({
        input_tokens: z.number(),
        output_tokens: z.number(),
        total_tokens: z.number(),
      }),
    }),
    errors: {
      404: 'The project has no account with the provider, and no chat model is configured',
      429: 'Too many requests, or the daily AI token budget of the project is exhausted (`AI_TOKEN_BUDGET_EXHAUSTED`)',
      422: 'The provider refuses the key of the project, or the settings do not allow the model',
    },
    handle: ({ project, body, signal }) => previewAnswer(project, body, signal),
  }),
];
