/** The `thinking` option of questions and prompts. */
import { z } from 'zod';
import { flag, integer } from '#shared/wire/coercion.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const ThinkingObject = z.object({
  type: z.enum(['enabled', 'disabled', 'adaptive']),
  budget_tokens: integer(1, INPUT_LIMITS.answerTokens).optional(),
});

/** Whether and how much a chat model reasons before it answers. `true` is short for `{type: "enabled"}`. */
export const ThinkingInput = z
  .union([ThinkingObject, flag(), z.literal(['', null])])
  .optional()
  .transform((value) => (value === true ? { type: 'enabled' as const } : value || undefined))
  .meta({ description: 'Whether the chat model reasons before it answers; passed on to the provider' });
