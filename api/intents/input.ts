/** Request bodies for intents. */
import { z } from 'zod';
import { MAX_INTENTS } from '#shared/domain/bots/intents.ts';
import { flag, optional, optionalText } from '#shared/wire/coercion.ts';
import { FreeObject, Id } from '#shared/wire/view.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const MAX_ACTIONS = 200;
const Name = z.string().trim().min(1).max(INPUT_LIMITS.name);

export const BotId = Name.meta({ description: 'Id of the bot' });

const intentFields = {
  question: optionalText(INPUT_LIMITS.messageText).meta({ description: 'Training phrases, one per line' }),
  answer: optionalText(INPUT_LIMITS.messageText).meta({ description: 'The reply; docs/bots.md describes its markup' }),
  intent_display_name: optional(Name).meta({ description: 'Unique within the bot. Default: random' }),
  webhook_enabled: optional(flag()).meta({ description: 'Whether the fulfilment of the bot may replace the reply' }),
  topic: optional(Name),
  enabled: optional(flag()),
  reply: optional(FreeObject),
  form: optional(FreeObject),
  actions: optional(z.array(FreeObject).max(MAX_ACTIONS)),
  attributes: optional(FreeObject),
};

const CustomIntentId = optional(Name).meta({ description: 'Unique within the bot. Default: a UUID' });

/** The body for a new intent. */
export const NewIntent = z.object({
  id_faq_kb: BotId,
  _id: optional(Id).meta({ description: 'Default: generated' }),
  intent_id: CustomIntentId,
  ...intentFields,
});

/** The body for an update. */
export const IntentChanges = z.object({
  ...intentFields,
  status: optional(Name),
  language: optional(Name),
  agents_available: optional(flag()),
});

/** Several changes to a bot's intents. */
export const IntentOperations = z.object({
  id_faq_kb: BotId,
  operations: z
    .array(
      z.object({
        type: z.enum(['post', 'put', 'patch', 'delete']),
        intent: z.object({
          ...IntentChanges.shape,
          _id: optional(Id),
          intent_id: CustomIntentId,
        }),
      }),
    )
    .max(Math.min(INPUT_LIMITS.intentOperations, MAX_INTENTS)),
});
