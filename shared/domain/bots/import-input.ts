/** The schema of exported bots. */
import { z } from 'zod';
import { optional, optionalText } from '../../wire/coercion.ts';
import { FreeObject } from '../../wire/view.ts';
import { MAX_INTENTS } from './intents.ts';

const MAX_NAME_CHARACTERS = 200;
const MAX_TEXT_CHARACTERS = 32_000;
const MAX_URL_CHARACTERS = 4096;
const MAX_ACTIONS = 200;

const name = () => z.string().trim().min(1).max(MAX_NAME_CHARACTERS);
const text = () => optionalText(MAX_TEXT_CHARACTERS);
const webUrl = () => z.url({ protocol: /^https?$/ }).max(MAX_URL_CHARACTERS);

/** An intent, as sent by callers and as contained in exports. */
export const IntentInput = z.object({
  intent_display_name: optional(name()),
  intent_id: optional(name()),
  question: text(),
  answer: text(),
  reply: optional(FreeObject),
  form: optional(FreeObject),
  actions: optional(z.array(FreeObject).max(MAX_ACTIONS)),
  attributes: optional(FreeObject),
  enabled: optional(z.boolean()),
  webhook_enabled: optional(z.boolean()),
  topic: optional(name()),
  status: optional(name()),
  language: optional(name()),
  agents_available: optional(z.boolean()),
});

/** Returns whether no two intents have the same value in a field. */
const areUnique = (intents: z.output<typeof IntentInput>[], field: 'intent_display_name' | 'intent_id'): boolean => {
  const values = intents.flatMap((intent) => intent[field] ?? []);
  return new Set(values).size === values.length;
};

/** An exported bot, or only its intents. */
export const ImportedBot = z.object({
  webhook_enabled: optional(z.boolean()),
  webhook_url: optional(webUrl()),
  language: optional(name()),
  name: optional(name()),
  slug: optional(name()),
  type: optional(name()),
  subtype: optional(name()),
  url: optional(webUrl()),
  description: text(),
  attributes: optional(FreeObject),
  intents: z
    .array(IntentInput)
    .max(MAX_INTENTS)
    .refine(
      (intents) => areUnique(intents, 'intent_display_name'),
      'must not contain the same `intent_display_name` twice',
    )
    .refine((intents) => areUnique(intents, 'intent_id'), 'must not contain the same `intent_id` twice'),
});

/** An exported bot. */
export type ImportedBot = z.output<typeof ImportedBot>;
