/** Intent endpoints. On the wire an intent is a `faq`; each endpoint has a second path under `/intents`. */
import { z } from 'zod';
import * as intents from '#shared/domain/bots/intents.ts';
import { applyOperations } from '#shared/domain/bots/change-intents.ts';
import { invalidParameter } from '#shared/errors.ts';
import { BotView } from '#shared/models/bot.ts';
import { IntentView } from '#shared/models/intent.ts';
import { integer } from '#shared/wire/coercion.ts';
import { omitFields, omitUndefined } from '#shared/wire/omit-fields.ts';
import { FreeObject, optionalField } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import csvEndpoints from './csv-endpoints.ts';
import { BotId, IntentChanges, IntentOperations, NewIntent } from './input.ts';
import { ALIAS_PATH, BASE_PATH } from './paths.ts';

const RECORD_PATH = `${BASE_PATH}/:faq_id` as const;
const ALIAS_RECORD_PATH = `${ALIAS_PATH}/:faq_id`;
/** A path segment with this prefix identifies an intent by its `intent_id` instead of its `_id`. */
const INTENT_ID_PREFIX = 'intentId';
const record = { collection: 'intents', parameter: 'faq_id' };
const DELETE_NEEDS_BOT =
  "Unable to delete object. Query param 'id_faq_kb' is mandatory if you want to delete via intent_id";

/** The fields of an intent that agents do not see. */
const HIDDEN_FROM_AGENTS = {
  webhook_enabled: true,
  faq_kb: true,
  actions: true,
  attributes: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
  __v: true,
} as const;

const ListedIntentView = IntentView.extend({ faq_kb: z.array(BotView) }).partial(HIDDEN_FROM_AGENTS);

type ListedIntent = z.input<typeof ListedIntentView>;

const HIDDEN_FIELDS = Object.keys(HIDDEN_FROM_AGENTS) as (keyof typeof HIDDEN_FROM_AGENTS)[];

const ListQuery = z.object({
  id_faq_kb: BotId.optional(),
  text: z.string().max(INPUT_LIMITS.name).optional().meta({ description: 'Words to find in the training phrases' }),
  intent_display_name: z.string().max(INPUT_LIMITS.name).optional(),
  limit: integer(0, INPUT_LIMITS.intentsPerPage)
    .default(INPUT_LIMITS.intentsPerPage)
    .meta({ description: 'Intents per page; 0: the maximum' }),
  page: integer(0, Number.MAX_SAFE_INTEGER / INPUT_LIMITS.intentsPerPage)
    .default(0)
    .meta({ description: 'Page number, starting at 0' }),
});

const BotOfIntent = z.object({ id_faq_kb: BotId.optional() });

/** Returns the selector of the intent that a path segment identifies. Throws 422 for an `intent_id` without a bot. */
const selectorOf = (segment: string, bot: string | undefined, missingBotText: string): intents.IntentSelector => {
  if (!segment.startsWith(INTENT_ID_PREFIX)) return { _id: segment };
  if (bot) return { bot, intent_id: segment.slice(INTENT_ID_PREFIX.length) };
  throw invalidParameter({ path: 'id_faq_kb', message: missingBotText, location: 'query' });
};

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    aliases: [{ path: ALIAS_PATH }],
    role: 'agent',
    programs: 'all',
    summary:
      'List intents, newest first. Agents see fewer fields, no intents whose `agents_available` is false, and the intents `start` and `defaultFallback` only if `intent_display_name` names them',
    query: ListQuery,
    reply: z.array(ListedIntentView.extend({ faq_kb: optionalField(z.array(BotView)) })),
    handle: async ({ project, query: { id_faq_kb: bot, limit, page, ...filter }, actor }) => {
      const forAgents = actor.role === 'agent';
      const perPage = limit || INPUT_LIMITS.intentsPerPage;
      const found: ListedIntent[] = await intents.list(
        project,
        { ...filter, bot, forAgents },
        { skip: page * perPage, limit: perPage },
      );
      return forAgents ? found.map((intent) => omitFields(intent, HIDDEN_FIELDS)) : found;
    },
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    aliases: [{ path: ALIAS_PATH }],
    role: 'admin',
    programs: 'all',
    summary: 'Add an intent to a bot',
    body: NewIntent,
    errors: { 409: 'The bot already has an intent with this name or `intent_id`' },
    reply: IntentView,
    handle: ({ project, body: { id_faq_kb, ...fields }, actor }) =>
      intents.create(project, id_faq_kb, { ...omitUndefined(fields), createdBy: actor.id }),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/ops_update`,
    aliases: [{ path: `${ALIAS_PATH}/ops_update` }],
    role: 'admin',
    programs: 'all',
    bodySize: 'bulk',
    summary: 'Apply several changes to the intents of a bot, in order and atomically',
    body: IntentOperations,
    errors: { 409: 'The bot already has an intent with this name or `intent_id`' },
    reply: z.strictObject({ success: z.literal(true) }),
    handle: async ({ project, body: { id_faq_kb, operations }, actor }) => {
      const changes = operations.map(({ type, intent }) => ({ type, intent: omitUndefined(intent) }));
      await applyOperations(project, id_faq_kb, { operations: changes, createdBy: actor.id });
      return { success: true as const };
    },
  }),
  ...csvEndpoints,
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    aliases: [{ path: ALIAS_RECORD_PATH }],
    role: 'admin',
    programs: 'all',
    summary: 'Get an intent',
    reply: IntentView,
    handle: ({ project, params }) => intents.read(project, params.faq_id),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    aliases: [{ path: ALIAS_RECORD_PATH }],
    record,
    role: 'admin',
    programs: 'all',
    summary: 'Update an intent, identified by its `_id` or by `intentId<intent_id>`',
    body: IntentChanges.extend({ id_faq_kb: BotId }),
    errors: { 409: 'The bot already has an intent with this name' },
    reply: IntentView,
    handle: async ({ project, params, body: { id_faq_kb, ...changes } }) => {
      await intents.findBotOfIntents(project, id_faq_kb);
      return intents.update(project, selectorOf(params.faq_id, id_faq_kb, ''), omitUndefined(changes));
    },
  }),
  endpoint({
    method: 'patch',
    path: `${RECORD_PATH}/attributes`,
    aliases: [{ path: `${ALIAS_RECORD_PATH}/attributes` }],
    record,
    role: 'admin',
    programs: 'all',
    summary: 'Merge keys into the attributes of an intent',
    body: FreeObject,
    reply: IntentView,
    handle: ({ project, params, body }) => intents.mergeAttributes(project, { _id: params.faq_id }, body),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    aliases: [{ path: ALIAS_RECORD_PATH }],
    record,
    role: 'admin',
    programs: 'all',
    summary: 'Delete an intent, identified by its `_id` or by `intentId<intent_id>`',
    query: BotOfIntent,
    reply: IntentView,
    handle: async ({ project, params, query: { id_faq_kb } }) => {
      if (id_faq_kb) await intents.findBotOfIntents(project, id_faq_kb);
      return intents.remove(project, selectorOf(params.faq_id, id_faq_kb, DELETE_NEEDS_BOT));
    },
  }),
];
