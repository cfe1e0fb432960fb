/** Request bodies of the bot endpoints. */
import { z } from 'zod';
import { flag, optional, optionalText } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BotName = z.string().trim().min(1).max(INPUT_LIMITS.name);
const WebUrl = z.url({ protocol: /^https?$/ }).max(INPUT_LIMITS.kbSource);

export const LanguageCode = z
  .string()
  .regex(/^[a-zA-Z]{2,3}([-_][a-zA-Z0-9]{2,8})*$/, 'must be a language code such as `en`')
  .max(INPUT_LIMITS.languageCode);

const Slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must contain only a to z, 0 to 9 and single hyphens')
  .max(INPUT_LIMITS.name);

const settingFields = {
  description: optionalText(INPUT_LIMITS.messageText),
  language: optional(LanguageCode),
  webhook_enabled: optional(flag()),
  url: optional(WebUrl).meta({ description: 'URL of an external bot' }),
  webhook_url: optional(WebUrl).meta({
    description: 'URL of the fulfilment, which may replace replies of an internal bot',
  }),
  subtype: optionalText(INPUT_LIMITS.name).meta({
    description: 'For example `chatbot`, `webhook`, `copilot` or `voice`',
  }),
  mainCategory: optionalText(INPUT_LIMITS.name),
  intentsEngine: optionalText(INPUT_LIMITS.name),
  attributes: optional(FreeObject),
};

/** The body of a new bot. */
export const NewBot = z.object({
  name: BotName,
  type: BotName.default('internal').meta({ description: '`internal` or `external`' }),
  external: optional(flag()).meta({ description: '`true`: an external bot' }),
  template: optionalText(INPUT_LIMITS.name).meta({
    description:
      'Template of an internal bot; for the subtype `chatbot`: `example` (default), `blank`, `handoff` or `empty`',
  }),
  namespace_id: optionalText(INPUT_LIMITS.name).meta({
    description: 'Id of the knowledge base that the bot queries before it replies with its default intent',
  }),
  slug: optionalText(INPUT_LIMITS.name).meta({ description: 'Default: derived from the name' }),
  ...settingFields,
});

/** The body of an update. */
export const BotChanges = z.object({
  name: optional(BotName),
  type: optional(BotName),
  slug: optional(Slug),
  ...settingFields,
  trashed: optional(flag()).meta({ description: '`true` moves the bot to the trash, `false` restores it' }),
  public: optional(flag()).meta({ description: 'Whether every project may copy the bot' }),
  certified: optional(flag()),
  tags: optional(z.array(z.string().trim().min(1).max(INPUT_LIMITS.kbTag)).max(INPUT_LIMITS.kbTags)),
  certifiedTags: optional(
    z
      .array(z.object({ name: optionalText(INPUT_LIMITS.kbTag), color: optionalText(INPUT_LIMITS.color) }))
      .max(INPUT_LIMITS.kbTags),
  ),
  trained: optional(flag()),
  title: optionalText(INPUT_LIMITS.name),
  short_description: optionalText(INPUT_LIMITS.conversationText),
  agents_available: optional(flag()).meta({ description: 'Whether agents see the bot' }),
});
