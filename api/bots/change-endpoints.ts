/** Endpoints that change, publish and query a bot. */
import { z } from 'zod';
import { read as readBot } from '#shared/domain/bots/bots.ts';
import { ask } from '#shared/domain/bots/ask-bot.ts';
import { listPublished, publish, restore } from '#shared/domain/bots/publish-bot.ts';
import { mergeAttributes, setLanguage, update } from '#shared/domain/bots/update-bot.ts';
import { invalidField } from '#shared/errors.ts';
import { BotView } from '#shared/models/bot.ts';
import { IntentView } from '#shared/models/intent.ts';
import { omitUndefined } from '#shared/wire/omit-fields.ts';
import { FreeObject, optionalField } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { optionalText } from '#shared/wire/coercion.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { BotChanges, LanguageCode } from './input.ts';
import { ALIAS_PATH, ALIAS_RECORD_PATH, BASE_PATH, RECORD_PATH } from './paths.ts';

const record = { collection: 'bots', parameter: 'bot_id' };
const DEFAULT_RELEASE_NOTE = 'No comment';

const PublisherView = z.strictObject({
  _id: z.unknown(),
  firstname: optionalField(z.string()),
  lastname: optionalField(z.string()),
  email: optionalField(z.string()),
});

/** Returns the language code in a path. Throws 422 if it is invalid. */
const parsePathLanguage = (language: string): string => {
  const { success, data } = LanguageCode.safeParse(language);
  if (!success) throw invalidField('language', 'must be a language code such as `en`');
  return data;
};

export default [
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    aliases: [{ path: ALIAS_RECORD_PATH }],
    record,
    role: 'admin',
    programs: 'all',
    summary: 'Update a bot, move it to the trash or restore it',
    body: BotChanges,
    errors: { 409: 'Another bot of the project has this slug' },
    reply: BotView,
    handle: ({ project, params: { bot_id: _id }, body }) => update({ id_project: project, _id }, omitUndefined(body)),
  }),
  endpoint({
    method: 'patch',
    path: `${RECORD_PATH}/attributes`,
    aliases: [{ path: `${ALIAS_RECORD_PATH}/attributes` }],
    record,
    role: 'admin',
    programs: 'all',
    summary: 'Merge keys into the attributes of a bot',
    body: FreeObject,
    reply: BotView,
    handle: ({ project, params: { bot_id: _id }, body }) => mergeAttributes({ id_project: project, _id }, body),
  }),
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/language/:language`,
    aliases: [{ path: `${ALIAS_RECORD_PATH}/language/:language` }],
    record,
    role: 'admin',
    programs: 'all',
    summary: 'Set the language of a bot and of all its intents',
    reply: BotView,
    handle: async ({ project, params: { bot_id: _id, language } }) => {
      await readBot(project, _id);
      return setLanguage({ id_project: project, _id }, parsePathLanguage(language));
    },
  }),
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/publish`,
    aliases: [{ path: `${ALIAS_RECORD_PATH}/publish` }],
    record,
    role: 'admin',
    summary: 'Publish a bot, so that a copy of its current state answers visitors, or restore it from a published copy',
    body: z.object({
      release_note: optionalText(INPUT_LIMITS.conversationText),
      restore_from: optionalText(INPUT_LIMITS.name).meta({ description: 'Id of a published copy' }),
    }),
    reply: z.strictObject({ message: z.string(), bot_id: z.string() }),
    handle: async ({ project, params: { bot_id: _id }, body: { release_note, restore_from }, actor }) => {
      const key = { id_project: project, _id };
      if (restore_from) await restore(key, restore_from, actor.id);
      const publication = { release_note: release_note || DEFAULT_RELEASE_NOTE, publishedBy: actor.id };
      const bot_id = restore_from ?? (await publish(key, publication));
      return { message: restore_from ? 'Chatbot restored successfully' : 'Chatbot published successfully', bot_id };
    },
  }),
  endpoint({
    method: 'get',
    path: `${RECORD_PATH}/published`,
    aliases: [{ path: `${ALIAS_RECORD_PATH}/published` }],
    role: 'admin',
    programs: 'all',
    summary: 'List the published copies of a bot, newest first',
    reply: z.array(BotView.extend({ publishedBy: optionalField(PublisherView) })),
    handle: ({ project, params: { bot_id: _id } }) => listPublished({ id_project: project, _id }),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/askbot`,
    aliases: [{ path: `${ALIAS_PATH}/askbot` }],
    role: 'admin',
    summary: 'Find the intents of an internal bot that match a question, best match first',
    body: z.object({
      id_faq_kb: z.string().min(1).max(INPUT_LIMITS.name).meta({ description: 'Id of the bot' }),
      question: z.string().trim().min(1).max(INPUT_LIMITS.questionText),
    }),
    errors: { 400: 'The bot is external' },
    reply: z.strictObject({ hits: z.array(IntentView.extend({ score: z.number() })) }),
    handle: async ({ project, body: { id_faq_kb, question } }) => ({
      hits: await ask({ id_project: project, _id: id_faq_kb }, question),
    }),
  }),
];
